import { leavesOneAtATime, roleOf } from '../groups/group.ts';
import { deadlineOf, type LeavingNotice } from '../passes/leaving-notice.ts';
import { again, done, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { admitAdvised, membersOf, nodesIn } from './concurrency-limit.ts';
import type { Leaving, LeavingContext, Planned, Started } from './context.ts';
import { ownNodes } from './find-node.ts';
import { groupsOfSameRole, missingInRole } from './same-role.ts';

type State = Started & Leaving & Planned;

/**
 * Whether only a warning or an announcement says that an instance of a control plane or of etcd leaves. Auto Scaling would hold it on its
 * hooks, which a pass reads; nothing proves that EC2 or AWS Health has sent the event.
 */
export const isOnWordsOnly = ({ waits, group }: Pick<Leaving, 'waits' | 'group'>): boolean =>
  !waits && leavesOneAtATime(group);

const urgentSeconds = 5;

/**
 * Lets at most one instance of all control planes, and one of all etcd groups, leave on such words: only while all others of its role
 * serve, however near the deadline is. Otherwise three forged warnings would take a control plane. The members share the time, because passes that
 * run at once do not see each other's marks: each has a span of ten seconds.
 *
 * @returns undefined if it may leave now.
 */
export async function awaitTurnOnWords(context: LeavingContext, state: State): Promise<Outcome | undefined> {
  const { autoScaling, cluster, clock } = context;
  const { instance, group, plan, subject } = state;
  const now = clock.now();
  if (subject.notices.every((notice) => isProvenFalse(notice, now)))
    return done('the time of its warning has passed, and EC2 has not taken it');
  const role = `the role ${roleOf(group)}`;
  const onWords = `only words say that it leaves (${plan.cause})`;
  const groups = groupsOfSameRole(await autoScaling.listGroups(now), group, context.settings.clusterName);
  const members = groups.flatMap((one) => [...membersOf(one).values()]);
  const { instanceId } = instance;
  const admission = admitAdvised({
    instanceId,
    started: [],
    waiting: [],
    members: members.some((one) => one.instanceId === instanceId) ? members : [...members, instance],
    maxInGroup: () => 1,
    maxInCluster: 1,
    now,
  });
  if (!admission.admitted)
    return again(
      Math.min(longestWaitSeconds, admission.afterSeconds ?? longestWaitSeconds),
      `${onWords}: the instances of ${role} take turns, and its own turn comes later`,
      {
        waitsFor: 'turn',
      },
    );
  const allNodes = await cluster.listNodes('consistent');
  const nodes = await ownNodes(
    context,
    groups.flatMap((one) => nodesIn(one, allNodes)),
  );
  const missing = missingInRole(groups, instance, nodes);
  if (missing === 0) return undefined;
  const desired = groups.reduce((sum, { desiredCapacity }) => sum + desiredCapacity, 0);
  return again(
    plan.mustHurry ? urgentSeconds : longestWaitSeconds,
    `${role} waits for replacements: ${missing} more of its ${desired} instances must serve, because ${onWords}; or Auto Scaling must let it leave`,
    { waitsFor: 'replacement' },
  );
}

/** EC2 takes an instance at the time in its warning, so a warning whose time passed minutes ago was not from EC2. */
const isProvenFalse = (notice: LeavingNotice, now: number): boolean =>
  (notice.cause === 'spot-interruption' || notice.cause === 'capacity-reservation') &&
  notice.deadline !== undefined &&
  deadlineOf(notice, now) === Infinity;
