import type { GroupLaunch } from '../../../../shared/capacity/plan-input/declared-node.ts';
import type {
  OptionalList,
  PlanCluster,
  Reduce,
} from '../../../../shared/capacity/plan-input/plan-cluster.ts';
import type { PlanInput } from '../../../../shared/capacity/plan-input/plan-input.ts';
import { readPlanInput } from '../../../../shared/capacity/plan-input/read-plan-input.ts';
import type { AutoScalingGroup, GroupMember } from '../../../../shared/groups/group.ts';

/** Whole objects, by the name of their list; a text is the reason why the list is absent. */
export interface Objects {
  readonly nodes?: readonly object[];
  readonly pods?: readonly object[];
  readonly namespaces?: readonly object[] | string;
  readonly daemonSets?: readonly object[] | string;
  readonly volumes?: readonly object[] | string;
  readonly claims?: readonly object[] | string;
  readonly classes?: readonly object[] | string;
  readonly csiNodes?: readonly object[] | string;
  readonly volumeAttachments?: readonly object[] | string;
}

/** A cluster that has these objects. */
export function clusterWith(objects: Objects): PlanCluster {
  const all = (list: readonly object[] = []) =>
    function listAll<From, To>(reduce: Reduce<From, To>): Promise<readonly To[]> {
      return Promise.resolve(
        list.map((object) => reduce(object as From)).filter((kept) => kept !== undefined),
      );
    };
  const optional = (list: readonly object[] | string = []) =>
    async function listOptional<From, To>(reduce: Reduce<From, To>): Promise<OptionalList<To>> {
      return typeof list === 'string'
        ? { status: 'absent', reason: list }
        : { status: 'read', items: await all(list)(reduce) };
    };
  return {
    listNodes: all(objects.nodes),
    listPods: all(objects.pods),
    listNamespaces: optional(objects.namespaces),
    listDaemonSets: optional(objects.daemonSets),
    listPersistentVolumes: optional(objects.volumes),
    listPersistentVolumeClaims: optional(objects.claims),
    listStorageClasses: optional(objects.classes),
    listCsiNodes: optional(objects.csiNodes),
    listVolumeAttachments: optional(objects.volumeAttachments),
  };
}

export const clusterName = 'prod';

export const workers = (group: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker' },
  minSize: 0,
  maxSize: 5,
  desiredCapacity: 1,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: true,
  availabilityZones: ['eu-west-1a'],
  ...group,
});

export const member = (number: number, lifecycleState = 'InService'): GroupMember => ({
  instanceId: instanceId(number),
  lifecycleState,
  availabilityZone: 'eu-west-1a',
  healthy: true,
});

export const instanceId = (number: number): string => `i-${String(number).padStart(17, '0')}`;

export const readInput = (
  objects: Objects,
  groups: readonly AutoScalingGroup[],
  launches: ReadonlyMap<string, GroupLaunch> = new Map(),
): Promise<PlanInput> =>
  readPlanInput({
    cluster: clusterWith(objects),
    launches: { readLaunches: () => Promise.resolve(launches) },
    groups,
    clusterName,
  });

/** The type m5.large, as EC2 describes it. */
export const m5Large = {
  instanceType: 'm5.large',
  architecture: 'amd64',
  cpus: 2,
  memoryMebibytes: 8192,
  interfaces: 3,
  ipv4AddressesPerInterface: 10,
  devices: {},
} as const;
