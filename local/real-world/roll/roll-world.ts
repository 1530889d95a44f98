import { setTimeout as sleep } from 'node:timers/promises';
import { isAway } from '@drover/cloud-sandbox/real/https.ts';
import { listItems } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { readRollingMark } from '../../../shared/nodes/rolling-mark.ts';
import { isTainted } from '../../../shared/roll/node-marks.ts';
import { type RollSeen, readSeen, rollPathsOf, seenParameterOf } from '../../../shared/roll/roll.ts';
import { addGroup } from '../../cloud/furnish.ts';
import { addEtcdGroup } from '../../etcd-group.ts';
import { clusterName, hookName } from '../../names.ts';
import type { RealWorld, RealWorldOptions } from '../world.ts';
import { type EndpointWatch, watchEndpoints } from './watch-endpoints.ts';
import { createWorkloads, type Workloads, workerLabels } from './workloads.ts';

export interface RollingPlan {
  readonly workers: number;
  readonly controlPlanes: number;
  /** Each of two pods. */
  readonly workloads: number;
  /** Three members of etcd, if the world has etcd. */
  readonly withEtcd: boolean;
  readonly onProblem: (problem: unknown) => void;
}

/** A real cluster with groups of each role, and workloads whose endpoints are watched: what a roll is tried on. */
export interface RollingWorld {
  readonly endpoints: EndpointWatch;
  /** Their names, which are those of their Services and budgets too. */
  readonly workloads: readonly string[];
  /** The groups of the instances that have ended, in the order of their ends. */
  readonly ended: readonly string[];
  /** How many of the instances that were there at the beginning still run. */
  readonly old: () => number;
  readonly seen: (roll: string) => RollSeen | undefined;
  /** @throws Error if it does not hold in time; `withinSeconds` of this machine */
  readonly until: (
    what: string,
    withinSeconds: number,
    holds: () => boolean | Promise<boolean>,
  ) => Promise<void>;
  /** Nodes that have a taint or a mark of a roll. */
  readonly marked: (roll: string) => Promise<readonly string[]>;
  /** Ends the load and the watch. */
  close(): Promise<void>;
}

const group = 'workers';

/** Pods run on workers only. An instance of etcd has no kubelet. */
export const configureRollingNode: NonNullable<RealWorldOptions['configureNode']> = ({ tags }) => {
  const role = tags.get('drover.dev/role');
  return role === 'etcd' ? undefined : { labels: role === 'worker' ? workerLabels : {} };
};

/** Furnishes the world; resolves once every pod is an endpoint of its Service, and the load has begun. */
export async function openRollingWorld(world: RealWorld, plan: RollingPlan): Promise<RollingWorld> {
  const { cloud, admin } = world;
  const { autoScaling, ec2, ssm } = cloud.account;
  addGroups(world, plan);
  const groups = () => autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups;
  const inService = (): boolean =>
    groups().every(
      ({ Instances = [], DesiredCapacity }) =>
        Instances.filter(({ LifecycleState }) => LifecycleState === 'InService').length === DesiredCapacity,
    );
  await until('all groups in service', 300, inService);
  const first = new Map(
    groups().flatMap(({ AutoScalingGroupName = '', Instances = [] }) =>
      Instances.map(({ InstanceId = '' }) => [InstanceId, AutoScalingGroupName] as const),
    ),
  );
  const workloads = await createWorkloads(admin, plan.workloads);
  await until('pods that run', 300, async () => {
    const pods = await workloads.pods();
    return pods.length === plan.workloads * 2 && pods.every(({ status }) => status?.phase === 'Running');
  });
  const endpoints = await watchEndpoints({
    admin,
    controlPlane: world.controlPlane,
    namespace: workloads.namespace,
    services: workloads.names,
    lives: livingNodes(world),
    onProblem: plan.onProblem,
  });
  await until('endpoints of each Service', 60, () => endpoints.pods() === plan.workloads * 2);
  endpoints.begin();
  const ended: string[] = [];
  const unsubscribe = ec2.onInstanceStateChange(({ instanceId }, state) => {
    endpoints.look();
    const of = first.get(instanceId);
    if (state === 'terminated' && of !== undefined) ended.push(of);
  });
  const load = startLoad(workloads, plan);
  return {
    endpoints,
    workloads: workloads.names,
    ended,
    old: () => first.size - ended.length,
    until,
    seen: (roll) => {
      const text = ssm.controls.value(seenParameterOf(rollPathsOf(clusterName), roll));
      const reading = text === undefined ? undefined : readSeen(text);
      return reading?.kind === 'read' ? reading.value : undefined;
    },
    marked: async (roll) =>
      (await listItems<Node>(admin, '/api/v1/nodes'))
        .filter((node) => readRollingMark(node.metadata?.annotations) !== undefined || isTainted(node, roll))
        .map(({ metadata }) => metadata?.name ?? ''),
    close: async () => {
      unsubscribe();
      await load.stop();
      await endpoints.stop();
    },
  };
}

function addGroups({ cloud }: RealWorld, { workers, controlPlanes, withEtcd }: RollingPlan): void {
  const hook = { name: hookName, heartbeatTimeoutSeconds: 600 };
  const common = { clusterName, hook, settings: { MaxSize: 1000 } };
  addGroup(cloud, { ...common, autoScalingGroupName: group, size: workers });
  addGroup(cloud, {
    ...common,
    autoScalingGroupName: 'control-plane',
    role: 'control-plane',
    size: controlPlanes,
  });
  if (withEtcd) addEtcdGroup(cloud, { size: 3 });
}

/** Whether the instance of a node runs: what a packet that is sent there would find. */
const livingNodes =
  ({ cloud }: RealWorld) =>
  (nodeName: string): boolean =>
    cloud.account.ec2.operations
      .DescribeInstances({ Filters: [{ Name: 'private-dns-name', Values: [nodeName] }] })
      .Reservations?.some(({ Instances = [] }) => Instances.some(({ State }) => State?.Name === 'running')) ??
    false;

const loadMilliseconds = 3000;

/** While the API server is away there is no load. */
function unlessAway(error: unknown): void {
  if (!isAway(error)) throw error;
}

/** Pods come and go all the time, two for each worker. */
function startLoad(workloads: Workloads, { workers, onProblem }: RollingPlan): { stop(): Promise<void> } {
  const ending = new AbortController();
  const work = async (): Promise<void> => {
    for (let round = 0; !ending.signal.aborted; round += 1) {
      await workloads.scaleLoad(round % 2 === 0 ? 2 * workers : 0).catch(unlessAway);
      await sleep(loadMilliseconds);
    }
  };
  const working = work().catch(onProblem);
  return {
    stop: async () => {
      ending.abort();
      await working;
    },
  };
}

async function until(
  what: string,
  withinSeconds: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + withinSeconds * 1000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${withinSeconds} s`);
    await sleep(250);
  }
}
