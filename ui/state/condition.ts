import type { GroupView, InstanceView } from './types.ts';

/**
 * How an instance is:
 * - `leaving`, `joining`: on its way;
 * - `failing`: in service, but its machine or its node is not well;
 * - `cordoned`: it takes no new pods, and does not leave;
 * - `aside`: Standby, Detached or in a warm pool;
 * - `serving`: all is well.
 */
export type Condition = 'leaving' | 'joining' | 'failing' | 'cordoned' | 'aside' | 'serving';

/** Only members of etcd have no Node. */
export const needsNode = ({ role }: Pick<GroupView, 'role'>): boolean => role !== 'etcd';

export function conditionOf(instance: InstanceView, group: Pick<GroupView, 'role'>): Condition {
  const { lifecycleState, node } = instance;
  if (lifecycleState.startsWith('Terminat') || node?.leaving) return 'leaving';
  if (lifecycleState.startsWith('Pending') || lifecycleState.startsWith('Replacing')) return 'joining';
  if (lifecycleState !== 'InService') return 'aside';
  if (!isWell(instance, group)) return 'failing';
  return node?.cordoned ? 'cordoned' : 'serving';
}

/** What is unknown counts as well: the page says what is unknown by itself. */
const isWell = (
  { healthy, ec2State = 'running', node, nodeUnknown }: InstanceView,
  group: Pick<GroupView, 'role'>,
): boolean =>
  healthy && ec2State === 'running' && (node ? node.ready : nodeUnknown === true || !needsNode(group));

/** A group with more instances than this is a heatmap. */
export const crowd = 24;

/** An instance with its group and condition. */
export interface Placed {
  readonly instance: InstanceView;
  readonly group: GroupView;
  readonly condition: Condition;
}

export const placed = (groups: readonly GroupView[]): readonly Placed[] =>
  groups.flatMap((group) =>
    group.instances.map((instance) => ({ instance, group, condition: conditionOf(instance, group) })),
  );

/** An order that stays: AWS promises none, and what jumps around cannot be followed. */
export const byId = ({ instance: one }: Placed, { instance: other }: Placed): number =>
  one.instanceId < other.instanceId ? -1 : 1;

const urgency: readonly Condition[] = ['failing', 'leaving', 'joining'];

/** Whether an instance is shown above the groups: it is on its way, or not well. */
export const isInMotion = ({ condition }: Pick<Placed, 'condition'>): boolean => urgency.includes(condition);

/** The instances that are moving or unhealthy, the most urgent first: failures, then the nearest deadline. */
export const inMotion = (all: readonly Placed[]): readonly Placed[] =>
  all
    .filter(isInMotion)
    .toSorted(
      (one, other) =>
        urgency.indexOf(one.condition) - urgency.indexOf(other.condition) || deadline(one) - deadline(other),
    );

const deadline = ({ instance }: Placed): number => instance.node?.leaving?.until ?? Infinity;
