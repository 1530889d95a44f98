import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, type GroupMember, unitsOf } from '../../groups/group.ts';
import { isInService, isRetained } from '../../groups/lifecycle-state.ts';
import { readLeavingMark } from '../../nodes/leaving-mark.ts';
import { describePause, pauseOf } from '../../passes/pause.ts';
import { disturbances } from './disturbance.ts';
import { type FailingNode, findFailingNodes, livingNodes } from './failing-nodes.ts';

/** How many instances of a group health checks have replaced within the last hour, or why that is not known. */
export type Replacements = { readonly count: number } | { readonly unknown: string };

export interface RepairInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Managed groups only. */
  readonly groups: readonly AutoScalingGroup[];
  /** All Nodes of the cluster, from a consistent list. */
  readonly nodes: readonly Node[];
  /** By the group. A group that is missing is one whose replacements are not known. */
  readonly replacements: ReadonlyMap<string, Replacements>;
}

/**
 * - `repair`: its instance is replaced now;
 * - `wait`: it has not failed for long enough;
 * - `bounded`: another is replaced first;
 * - `withheld`: so many nodes fail at once that none is replaced;
 * - `left-alone`: a person has said so, or it may be a member of a quorum;
 * - `cannot-judge`: something is not known.
 */
export type RepairVerdict = 'repair' | 'wait' | 'bounded' | 'withheld' | 'left-alone' | 'cannot-judge';

export interface RepairFinding {
  readonly node: string;
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /** As the group's tag names it. */
  readonly condition: string;
  /** Epoch milliseconds; undefined: the Node does not say it. */
  readonly since: number | undefined;
  readonly verdict: RepairVerdict;
  readonly reason: string;
}

type Judgement = Pick<RepairFinding, 'verdict' | 'reason'>;

/** A verdict on each failing node of the groups that ask for repair. At most one of a group is `repair`. Pure. */
export function judgeRepairs(input: RepairInput): readonly RepairFinding[] {
  const living = livingNodes(input.nodes);
  const failing = findFailingNodes(input.groups, living);
  const disturbanceOf = disturbances(input.nodes, failing);
  return input.groups.flatMap((group) => {
    const bound = boundOf(group, living) ?? hourlyBoundOf(group, input.replacements);
    let first: FailingNode | undefined;
    return failing
      .filter(({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName)
      .map((node) => {
        const own = ownObstacle(node, { group, now: input.now }) ?? withheld(disturbanceOf(node)) ?? bound;
        if (own) return toFinding(node, own);
        if (first) return toFinding(node, bounded(`${first.name} is replaced first`));
        first = node;
        return toFinding(node, {
          verdict: 'repair',
          reason: 'it has failed for as long as its group allows',
        });
      });
  });
}

const toFinding = (
  { name, member, autoScalingGroupName, condition, since }: FailingNode,
  judgement: Judgement,
): RepairFinding => ({
  node: name,
  instanceId: member.instanceId,
  autoScalingGroupName,
  condition,
  since,
  ...judgement,
});

const bounded = (reason: string): Judgement => ({ verdict: 'bounded', reason });

const withheld = (disturbance: string | undefined): Judgement | undefined =>
  disturbance === undefined
    ? undefined
    : { verdict: 'withheld', reason: `${disturbance}: more than a node is broken, and none is replaced` };

/** What keeps this node from being replaced, whatever happens to the others. */
function ownObstacle(
  { since, dueAt, member, isOfQuorum }: FailingNode,
  { group, now }: { readonly group: AutoScalingGroup; readonly now: number },
): Judgement | undefined {
  const pause = pauseOf(group.tags);
  if (pause) return { verdict: 'left-alone', reason: `its group is ${describePause(pause)}` };
  if (member.protectedFromScaleIn)
    return { verdict: 'left-alone', reason: 'its instance is protected from scale-in' };
  if (isOfQuorum)
    return { verdict: 'left-alone', reason: 'its label says that it is of the control plane or of etcd' };
  if (since === undefined)
    return { verdict: 'cannot-judge', reason: 'the Node does not say since when it fails' };
  if (dueAt > now)
    return {
      verdict: 'wait',
      reason: `it is replaced if it still fails at ${new Date(dueAt).toISOString()}`,
    };
  return undefined;
}

/**
 * One at a time: nothing else of the group leaves, launches or is Unhealthy, and its whole desired capacity is in service. Auto Scaling may
 * answer as it was a minute ago; the marks on Nodes, and Nodes that are gone, show what it does not yet show.
 */
function boundOf(group: AutoScalingGroup, living: ReadonlyMap<string, Node>): Judgement | undefined {
  const serving = group.instances.filter(isInService);
  const passing = group.instances.find((member) => !isInService(member) && !isSetAside(member));
  if (passing) return bounded(`one at a time: ${passing.instanceId} is ${passing.lifecycleState}`);
  const unhealthy = serving.find(({ healthy }) => !healthy);
  if (unhealthy) return bounded(`one at a time: ${unhealthy.instanceId} is Unhealthy, and has yet to leave`);
  const marked = serving.find(({ instanceId }) => isMarked(living.get(instanceId)));
  if (marked) return bounded(`one at a time: the node of ${marked.instanceId} is leaving`);
  const nodeless = serving.find(({ instanceId }) => !living.has(instanceId));
  if (nodeless) return bounded(`one at a time: ${nodeless.instanceId} has no Node`);
  if (unitsOf(serving) < group.desiredCapacity)
    return bounded(
      `its group waits for replacements: ${unitsOf(serving)} of ${group.desiredCapacity}${group.countsUnits ? ' units' : ''} serve`,
    );
  return undefined;
}

/** A person or the warm pool keeps the instance, and the group does not count it. */
const isSetAside = (member: GroupMember): boolean =>
  member.lifecycleState === 'Standby' || isRetained(member) || member.lifecycleState.startsWith('Warmed:');

const isMarked = (node: Node | undefined): boolean =>
  readLeavingMark(node?.metadata?.annotations) !== undefined;

/** Never more than a fifth of the group, rounded up, within an hour. */
function hourlyBoundOf(
  { autoScalingGroupName, instances }: AutoScalingGroup,
  replacements: ReadonlyMap<string, Replacements>,
): Judgement | undefined {
  const recent = replacements.get(autoScalingGroupName) ?? {
    unknown: 'the activities of its group were not read',
  };
  if ('unknown' in recent) return { verdict: 'cannot-judge', reason: recent.unknown };
  const size = instances.filter(isInService).length;
  const most = Math.ceil(size / 5);
  return recent.count < most
    ? undefined
    : bounded(
        `health checks have replaced ${recent.count} of its group within the last hour: at most a fifth, which is ${most} of ${size}`,
      );
}
