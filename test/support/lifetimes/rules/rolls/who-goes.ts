import { clusterName, hookName } from '../../../../../local/world/drover-world.ts';
import type { Call } from '../../watch/call.ts';
import type { Resident } from '../../watch/census.ts';
import { hasLostTags, isManagedGroup, residentOf } from '../facts.ts';
import type { Finding, Rule, View } from '../rule.ts';
import {
  isOldFor,
  isRollMark,
  isTaking,
  launchedAt,
  markedBy,
  nodeOf,
  passMilliseconds,
  rollsOf,
} from './facts.ts';

/** What is wrong with the choice of an instance that a roll marks, or asks AWS to replace. */
const onChoice =
  (judge: (resident: Resident, view: View, call: Call) => Finding): NonNullable<Rule['onCall']> =>
  (call, view) => {
    if (!isTaking(call) && !isRollMark(call)) return undefined;
    const resident = residentOf(view, call);
    if (resident === undefined) return `${call.what}: no instance is known`;
    const finding = judge(resident, view, call);
    return finding && `${call.what}: ${resident.instanceId} ${finding}`;
  };

export const rollsReplaceOld: Rule = {
  name: 'rolls-replace-old',
  sentence:
    'A roll marks and replaces only instances of its groups that are old: launched before it began, and not from what it replaces them by.',
  onCall: onChoice((resident, view) => {
    const { autoScalingGroupName: name, version } = resident;
    if (!isManagedGroup(view, name)) return `is of ${name}, which Drover does not manage`;
    const rolls = rollsOf(name, view);
    if (rolls.some((roll) => isOldFor(roll, resident, view))) return undefined;
    const launch = new Date(launchedAt(resident, view)).toISOString();
    return `of version ${version}, launched at ${launch}, is not old for ${rolls.map((one) => one.name).join(' or ') || 'any roll'}`;
  }),
};

export const rollsMarkFirst: Rule = {
  name: 'rolls-mark-first',
  sentence: 'A roll marks and cordons a Node before it asks AWS to replace its instance.',
  onCall: onChoice((resident, view, call) => {
    if (call.kind === 'patch-node')
      return call.patch.spec?.unschedulable === true ? undefined : 'is marked without a cordon';
    const node = nodeOf(resident, view);
    const { rollingEditedAt = -Infinity, nodeDeletedByHand } = resident;
    if (nodeDeletedByHand || view.now - rollingEditedAt < passMilliseconds) return undefined;
    if (node === undefined) return 'has no Node that could be marked';
    if (markedBy(node) === undefined) return 'is replaced without a mark';
    return node.spec?.unschedulable === true ? undefined : 'is replaced, and its Node takes pods';
  }),
};

export const oldNodesAreTainted: Rule = {
  name: 'old-nodes-are-tainted',
  sentence:
    'All old nodes of a group are tainted before a roll replaces the first of them, so that each pod moves once.',
  onCall: onChoice((resident, view, call) => {
    if (!isTaking(call)) return undefined;
    const { autoScalingGroupName: name } = resident;
    const rolls = rollsOf(name, view);
    const untainted = view.census
      .all()
      .filter((one) => one.autoScalingGroupName === name && one.lifecycleState === 'InService')
      .filter((one) => rolls.every((roll) => isOldFor(roll, one, view)))
      .find((one) => isSettled(one, view) && !view.rolls.wasTainted(one.nodeName ?? ''));
    return untainted && `is replaced, and ${untainted.nodeName} was never tainted`;
  }),
};

/** Its Node is not one that has only just joined, or is the one of another instance. */
function isSettled(resident: Resident, view: View): boolean {
  const node = nodeOf(resident, view);
  const joinedAt = Date.parse(node?.metadata?.creationTimestamp ?? '');
  return joinedAt < view.now - passMilliseconds && launchedAt(resident, view) < view.now - passMilliseconds;
}

/** Hooks are kept for a minute. */
const hookMilliseconds = 60_000 + passMilliseconds;

export const rollsDrain: Rule = {
  name: 'rolls-drain',
  sentence: 'A roll replaces no instance of a group that lacks the hook with which Drover drains it.',
  onCall: onChoice(({ autoScalingGroupName: name }, view, call) => {
    if (!isTaking(call) || hasHook(name, view)) return undefined;
    const lostAt = view.census.hookChanges(name).at(-1)?.at ?? -Infinity;
    return view.now - lostAt < hookMilliseconds ? undefined : `is of ${name}, which has no hook`;
  }),
};

const hasHook = (AutoScalingGroupName: string, { world }: View): boolean =>
  world.account.autoScaling.operations
    .DescribeLifecycleHooks({ AutoScalingGroupName })
    .LifecycleHooks.some(({ LifecycleHookName }) => LifecycleHookName === hookName);

export const rollsStayInTheirCluster: Rule = {
  name: 'rolls-stay-in-their-cluster',
  sentence: 'A roll replaces nothing of a group that has lost a tag of Drover minutes ago.',
  onCall: onChoice(({ autoScalingGroupName: name }, view, call) => {
    if (!isTaking(call)) return undefined;
    const tags = view.census.tagsSince(name, view.now - passMilliseconds);
    const isLost = tags.every((one) => one[`kubernetes.io/cluster/${clusterName}`] === undefined);
    return isLost && hasLostTags(view, name, view.now) ? `is of ${name}, which has lost its tag` : undefined;
  }),
};
