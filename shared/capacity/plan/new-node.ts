import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import { withMissingDaemonPods } from './daemon-pods.ts';
import { isPassing } from './taints.ts';
import type { Amounts, Labels, OccupiedNode, PlannedNode, PlannedPod } from './types.ts';

/** What all new nodes of a group have, apart from their zones. */
export interface NodeShape {
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly allocatable: Amounts;
  readonly attachLimits: ReadonlyMap<string, number>;
}

/** Labels of zones that a new node has from the beginning. The EBS driver adds its own when it registers. */
const zoneKeys: readonly string[] = ['topology.kubernetes.io/zone', 'topology.ebs.csi.aws.com/zone'];

/** A label that one node has for itself, or whose value depends on the zone: other nodes of the group have other values. */
const ownLabels: readonly RegExp[] = [
  /^kubernetes\.io\/hostname$/,
  /^alpha\.eksctl\.io\/instance-id$/,
  /^topology\.k8s\.aws\//,
];

const typeLabels: readonly string[] = [
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
];
const oldZoneKey = 'failure-domain.beta.kubernetes.io/zone';

/**
 * What the Ready nodes of a group have in common. One of them may be odd, for example if its labels were edited: a label or taint that others
 * lack says nothing about the next node, and of each resource it has only the least.
 *
 * @param nodes nodes of one group; those that are closed say nothing about new ones.
 * @param isMixed whether the group may launch other instance types too.
 * @returns undefined if there is no node to learn from.
 */
export function shapeOfNodes(nodes: readonly PlannedNode[], isMixed: boolean): NodeShape | undefined {
  const [first, ...others] = nodes.filter(({ closed }) => closed === undefined);
  if (first === undefined) return undefined;
  const open = [first, ...others];
  return {
    labels: commonLabels(open, isMixed),
    taints: first.taints.filter(
      (taint) =>
        !isPassing(taint) && others.every(({ taints }) => taints.some((other) => isSame(taint, other))),
    ),
    allocatable: leastOf(open),
    attachLimits: leastLimits(open),
  };
}

function commonLabels([first, ...others]: readonly PlannedNode[], isMixed: boolean): Labels {
  const dropped = (key: string): boolean =>
    zoneKeys.includes(key) || ownLabels.some((own) => own.test(key)) || (isMixed && typeLabels.includes(key));
  const entries = Object.entries(first?.labelSets[0] ?? {}).filter(
    ([key, value]) => !dropped(key) && others.every(({ labelSets }) => labelSets[0][key] === value),
  );
  return Object.fromEntries(entries);
}

const isSame = (one: Taint, other: Taint): boolean =>
  one.key === other.key && one.effect === other.effect && (one.value ?? '') === (other.value ?? '');

/**
 * The least of each resource. A device plugin registers minutes after its node is Ready, and until then the node has none of its resource
 * (kubernetes/autoscaler#451): among nodes of one instance type, 0 says nothing about that resource.
 */
function leastOf(nodes: readonly PlannedNode[]): Amounts {
  const byType = new Map<string, Amounts>();
  for (const { labelSets, allocatable } of nodes) {
    const type = labelSets[0][typeLabels[0] ?? ''] ?? '';
    const known = byType.get(type);
    byType.set(type, known === undefined ? allocatable : merged(known, allocatable, leastKnown));
  }
  return [...byType.values()].reduce((one, other) => merged(one, other, Math.min));
}

const leastKnown = (one: number, other: number): number =>
  one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other);

function merged(one: Amounts, other: Amounts, merge: (first: number, second: number) => number): Amounts {
  const names = new Set([...one.keys(), ...other.keys()]);
  return new Map([...names].map((name) => [name, merge(one.get(name) ?? 0, other.get(name) ?? 0)]));
}

/** A driver without a limit on one node may register there later: the limits of the others hold for new nodes. */
function leastLimits(nodes: readonly PlannedNode[]): ReadonlyMap<string, number> {
  const least = new Map<string, number>();
  for (const { attachLimits } of nodes)
    for (const [driver, limit] of attachLimits)
      least.set(driver, Math.min(limit, least.get(driver) ?? limit));
  return least;
}

/** What a new node is made from. */
export interface NewNodeFacts {
  readonly autoScalingGroupName: string;
  readonly shape: NodeShape;
  /** Of the subnets of the group. */
  readonly zones: readonly string[];
  /** One pod of each DaemonSet of the cluster. */
  readonly daemonPods: readonly PlannedPod[];
  /** The nodes of the group with their pods, whose static pods a new node will have too. */
  readonly nodes: readonly OccupiedNode[];
}

/** The node that a group launches next. Auto Scaling chooses among its zones, so it has a set of labels for each. */
export function newNodeTemplate(facts: NewNodeFacts): OccupiedNode {
  const { autoScalingGroupName, shape, zones, daemonPods, nodes } = facts;
  const { labels, ...rest } = shape;
  const inZone = (zone: string): Labels => ({
    ...labels,
    ...Object.fromEntries(zoneKeys.map((key) => [key, zone])),
    ...(labels[oldZoneKey] !== undefined && { [oldZoneKey]: zone }),
  });
  const [zone, ...others] = zones;
  const node: PlannedNode = {
    ...rest,
    name: `${autoScalingGroupName}/new`,
    autoScalingGroupName,
    labelSets: zone === undefined ? [labels] : [inZone(zone), ...others.map(inZone)],
  };
  return withMissingDaemonPods({ node, pods: staticPodsOf(nodes) }, daemonPods);
}

/** The static pods of the node that has the most of them. */
function staticPodsOf(nodes: readonly OccupiedNode[]): readonly PlannedPod[] {
  const lists = nodes.map(({ pods }) => pods.filter(({ comesWithNode }) => comesWithNode === 'static'));
  return lists.reduce((most, list) => (list.length > most.length ? list : most), []);
}

/** A group that may launch nodes for the plan. */
export interface PlanGroup {
  readonly autoScalingGroupName: string;
  /** How many nodes more its bounds allow. */
  readonly mostNewNodes: number;
  /** A new node, with the pods that every new node has: those of DaemonSets and static ones. */
  readonly template: OccupiedNode;
}

const hostnameLabel = 'kubernetes.io/hostname';

/** The new node of a group with this number, counted from 1. Each has a host name of its own, for spread and anti-affinity. */
export function newNodeOf({ autoScalingGroupName, template }: PlanGroup, number: number): OccupiedNode {
  const name = `${autoScalingGroupName}/new-${number}`;
  const [first, ...others] = template.node.labelSets;
  const node: PlannedNode = {
    ...template.node,
    name,
    autoScalingGroupName,
    labelSets: [withHostname(first, name), ...others.map((labels) => withHostname(labels, name))],
  };
  return { ...template, node };
}

const withHostname = (labels: Labels, name: string): Labels => ({ ...labels, [hostnameLabel]: name });
