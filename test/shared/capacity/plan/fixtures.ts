import type { Node, Pod, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { PlanGroup } from '../../../../shared/capacity/plan/new-node.ts';
import { plannedNodeOf } from '../../../../shared/capacity/plan/node.ts';
import {
  emptySurroundings,
  type PodSurroundings,
  plannedPodOf,
} from '../../../../shared/capacity/plan/pod.ts';
import type { ResourceList } from '../../../../shared/capacity/plan/requests.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';

export type Labels = Readonly<Record<string, string>>;

export interface PodSettings {
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly requests?: ResourceList;
  /** Fields of its spec that are not said by other settings. */
  readonly spec?: Omit<Partial<PodSpec>, 'containers'> & { readonly containers?: PodSpec['containers'] };
}

/** A pod with one container, in namespace `shop`. */
export const podOf = (
  name: string,
  { namespace = 'shop', labels, requests, spec }: PodSettings = {},
): Pod => ({
  metadata: { namespace, name, labels: { ...labels } },
  spec: {
    containers: [{ name: 'main', resources: { requests: stringsOf(requests) } }],
    ...spec,
  },
});

const stringsOf = (list: ResourceList = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(list).map(([name, quantity]) => [name, String(quantity)]));

export const planned = (
  name: string,
  settings: PodSettings = {},
  surroundings: PodSurroundings = emptySurroundings,
): PlannedPod => plannedPodOf(podOf(name, settings), surroundings);

/** Several pods of one shape. */
export const replicas = (count: number, name: string, settings: PodSettings = {}): readonly PlannedPod[] =>
  Array.from({ length: count }, (_, index) => planned(`${name}-${index}`, settings));

export interface NodeSettings {
  readonly labels?: Labels;
  readonly taints?: NonNullable<Node['spec']>['taints'];
  readonly allocatable?: ResourceList;
  readonly ready?: boolean;
  readonly unschedulable?: boolean;
  readonly annotations?: Labels;
  readonly attachLimits?: Readonly<Record<string, number>>;
  readonly autoScalingGroupName?: string;
  readonly pods?: readonly PlannedPod[];
}

/** A Ready Node of 4 CPUs, 16 GiB and 58 pods in zone a. */
export const rawNode = (name: string, settings: NodeSettings = {}): Node => ({
  metadata: {
    name,
    labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'a', ...settings.labels },
    annotations: { ...settings.annotations },
  },
  spec: { taints: settings.taints ?? [], unschedulable: settings.unschedulable ?? false },
  status: {
    allocatable: stringsOf({ cpu: '4', memory: '16Gi', pods: '58', ...settings.allocatable }),
    conditions: [{ type: 'Ready', status: settings.ready === false ? 'False' : 'True' }],
  },
});

export function occupied(name: string, settings: NodeSettings = {}): OccupiedNode {
  const drivers = Object.entries(settings.attachLimits ?? {}).map(([driver, count]) => ({
    name: driver,
    nodeID: name,
    topologyKeys: [],
    allocatable: { count },
  }));
  const node = plannedNodeOf({
    node: rawNode(name, settings),
    csiNode: { metadata: { name }, spec: { drivers } },
    ...(settings.autoScalingGroupName && { autoScalingGroupName: settings.autoScalingGroupName }),
  });
  return { node, pods: settings.pods ?? [] };
}

/** A group whose new nodes are like `occupied`, in the zones given. */
export function groupOf(
  autoScalingGroupName: string,
  {
    mostNewNodes = 20,
    zones = ['a'],
    ...node
  }: NodeSettings & { readonly mostNewNodes?: number; readonly zones?: readonly string[] } = {},
): PlanGroup {
  const template = occupied('template', node);
  const [labels] = template.node.labelSets;
  const [first, ...others] = zones.map((zone) => ({ ...labels, 'topology.kubernetes.io/zone': zone }));
  return {
    autoScalingGroupName,
    mostNewNodes,
    template: { ...template, node: { ...template.node, labelSets: [first ?? labels, ...others] } },
  };
}
