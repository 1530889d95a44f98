import type { PlantedBug } from './planted-bugs.ts';

const foundBy = 'test/scenarios/directed-lifetimes.test.ts';

/** Fixes that are taken back, one at a time: a directed lifetime must find each. */
export const revertedFixes: readonly PlantedBug[] = [
  {
    name: 'pods that return to a cordoned node are evicted again and again',
    file: 'shared/draining/plan-drain.ts',
    search: 'return now < leavesAt || isPastDeadline(input);',
    replacement: 'return now < leavesAt && isPastDeadline(input);',
    foundBy,
  },
  {
    name: 'an empty node waits for a volume that nothing detaches',
    file: 'shared/leaving/await-detachment.ts',
    search: 'emptySince !== undefined && now >= Date.parse(emptySince)',
    replacement: 'emptySince === undefined && now >= Date.parse(emptySince ?? "")',
    foundBy,
  },
  {
    name: 'each round of evictions begins with the same pods, whose calls hang',
    file: 'shared/draining/evict-pods.ts',
    search: 'return [...part.slice(first), ...part.slice(0, first)];',
    replacement: 'return first < 0 ? [] : part;',
    foundBy,
  },
  {
    name: 'the Node that a machine has taken over from a dead one is drained and deleted',
    file: 'shared/leaving/taken-node.ts',
    search: "if (verdict === 'silent') return undefined;",
    replacement: "if (verdict !== 'unsettled') return undefined;",
    foundBy,
  },
  {
    name: 'a drain goes on although its change was cancelled',
    file: 'shared/leaving/leftover-node.ts',
    search: "if (!subject.notices.some(({ cause }) => cause === 'change-ended')) return undefined;",
    replacement: "if (subject.notices.some(({ cause }) => cause !== 'rebalance')) return undefined;",
    foundBy,
  },
  {
    name: 'a marked Node that something uncordons stays open',
    file: 'shared/leaving/keep-cordoned.ts',
    search: 'if (isCordonedByDrover(current, currentMark)) {',
    replacement: 'if (current !== node || isCordonedByDrover(current, currentMark)) {',
    foundBy,
  },
  {
    name: 'a mark that names another instance is never removed',
    file: 'shared/sweep/sweep.ts',
    search: 'const strange = strangeMarkOf(node, { now });',
    replacement: 'const strange = mark && strangeMarkOf(node, { now });',
    foundBy,
  },
  {
    name: 'a drain begins when its mark says, also in a year',
    file: 'shared/nodes/leaving-mark.ts',
    search: 'const claimed = isPast(since) ? Date.parse(since) : Math.min(startedAt ?? createdAt, now);',
    replacement: 'const claimed = Date.parse(since);',
    foundBy,
  },
  {
    name: 'pods are deleted at the deadline without the condition that says why',
    file: 'shared/draining/evict-pods.ts',
    search: 'const unmarked = isTerminating ? undefined : await mark(pod);',
    replacement: 'const unmarked = isTerminating === undefined ? undefined : await mark(pod);',
    foundBy,
  },
  {
    name: 'the drain of a group that has lost its role is given up',
    file: 'shared/leaving/confirm-leaving.ts',
    search:
      'const found = group ? { group, notes: [] } : await groupWithoutTags(context, subject, instance);',
    replacement:
      'const found = group ? { group, notes: [] } : instance.healthy ? undefined : await groupWithoutTags(context, subject, instance);',
    foundBy,
  },
  {
    name: 'the Node of an instance that AWS does not know is deleted although its kubelet reports',
    file: 'shared/leaving/leftover-node.ts',
    search: "if (kind === 'gone' && !isKubeletSilent(node) && readyConditionOf(node))",
    replacement: "if (kind === 'gone' && isKubeletSilent(node) && readyConditionOf(node))",
    foundBy,
  },
  {
    name: 'the loss of the record of the bounds goes unnoticed',
    file: 'shared/capacity/holds/floor-record.ts',
    search: '...(isLost(facts) && { lost: true as const }),',
    replacement: '...(isLost(facts) && group.minSize < 0 && { lost: true as const }),',
    foundBy,
  },
  {
    name: 'a loss is claimed for a new hold that asks for what MinSize is already',
    file: 'shared/capacity/holds/floor-record.ts',
    search: 'now - createdAt >= writtenWithinSeconds * 1000,',
    replacement: 'now - createdAt < writtenWithinSeconds * 1000,',
    foundBy,
  },
  {
    name: 'a stranger in another VPC keeps an instance of its name from joining',
    file: 'shared/certificates/situation.ts',
    search: 'return managed.length > 0 ? managed : living;',
    replacement: 'return managed.length > living.length ? managed : living;',
    foundBy,
  },
];
