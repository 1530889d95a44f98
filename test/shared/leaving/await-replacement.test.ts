import { expect, it } from 'vitest';
import { awaitReplacement } from '../../../shared/leaving/await-replacement.ts';
import { formatLeavingMark, type LeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { excludeFromLoadBalancersLabel } from '../../../shared/nodes/node-keys.ts';
import { leaveState, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const other = 'i-0aaaaaaaaaaaaaaaa';
const replacement = 'i-0bbbbbbbbbbbbbbbb';

const rolling = { roll: 'june', at: new Date(startedAt).toISOString(), waits: true, wasCordoned: false };

const groupWith = (...others: readonly string[]) => ({
  ...groupOf({
    [instanceId]: 'Terminating:Wait',
    ...Object.fromEntries(others.map((id) => [id, 'InService'])),
  }),
  desiredCapacity: 2,
});

/**
 * A worker whose group awaits replacements, of two. The pass has read `first` of the group; a list that was read after `readAt` shows `later`, and
 * the Nodes of all are Ready: those of instances that are gone have not been missed yet.
 */
async function awaitIn({
  first,
  later,
  readAt,
  silent = [],
  isOfRoll = false,
}: {
  readonly first: ReturnType<typeof groupWith>;
  readonly later: ReturnType<typeof groupWith>;
  readonly readAt: number;
  readonly silent?: readonly string[];
  readonly isOfRoll?: boolean;
}) {
  const { context } = createNodeContext(startedAt, node());
  const nodes = [instanceId, other, replacement].map((id) => {
    const one = node({ name: `node-${id}`, instanceId: id });
    const status = { conditions: [{ type: 'Ready', status: silent.includes(id) ? 'Unknown' : 'True' }] };
    return { ...one, status: { ...one.status, ...status } };
  });
  const state = leaveState({
    noticedAt: startedAt,
    settings: { ...context.settings.defaults, awaitReplacement: true },
  });
  const [own] = nodes.map((one) =>
    isOfRoll
      ? {
          ...one,
          metadata: { ...one.metadata, annotations: { 'drover.dev/rolling': JSON.stringify(rolling) } },
        }
      : one,
  );
  return await awaitReplacement(
    {
      ...context,
      autoScaling: {
        ...context.autoScaling,
        listGroups: async (notBefore = -Infinity) => [notBefore > readAt ? later : first],
      },
      cluster: {
        ...context.cluster,
        listNodeMetadata: async () => [],
        listNodes: async () => nodes,
        patchNode: async () => own ?? node(),
      },
    },
    { ...state, group: first, node: own ?? node(), mark: undefined, hasTwins: false },
  );
}

it('a worker waits on if a list of groups that is newer than the one of its pass shows that another one is gone', async () => {
  const first = groupWith(other, replacement);
  const later = groupWith(replacement);
  expect(await awaitIn({ first, later, readAt: startedAt - 6000 })).toMatchObject({
    status: 'again',
    facts: { waitsFor: 'replacement' },
  });
});

it('a worker whose pass and whose list of five seconds show both others is drained', async () => {
  const first = groupWith(other, replacement);
  expect(await awaitIn({ first, later: first, readAt: startedAt - 6000 })).toEqual({});
});

it('a worker waits for a replacement that is in service while its Node is not Ready', async () => {
  const first = groupWith(other, replacement);
  expect(
    await awaitIn({ first, later: first, readAt: startedAt - 6000, silent: [replacement] }),
  ).toMatchObject({ status: 'again', facts: { waitsFor: 'replacement' } });
});

/** A Node that a roll has marked, whose replacement is missing; something else may have uncordoned it since. */
async function waitIn(
  role: 'worker' | 'control-plane',
  { unschedulable, mark }: { readonly unschedulable: boolean; readonly mark?: Partial<LeavingMark> },
) {
  const leavingMark = mark && markedAt(startedAt, { awaiting: 'replacement', waitingFor: [], ...mark });
  const own = node({
    instanceId,
    unschedulable,
    annotations: {
      'drover.dev/rolling': JSON.stringify(rolling),
      ...(leavingMark && { 'drover.dev/leaving': formatLeavingMark(leavingMark) }),
    },
  });
  const { context, node: current, pass } = createNodeContext(startedAt, own);
  pass(30);
  const group = { ...groupWith(other), tags: { 'drover.dev/role': role } };
  const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults, tags: group.tags });
  const events: string[] = [];
  const outcome = await awaitReplacement(
    {
      ...context,
      autoScaling: { ...context.autoScaling, listGroups: async () => [group] },
      cluster: {
        ...context.cluster,
        getMarkedNode: async () => current(),
        listNodeMetadata: async () => [],
        recordEvent: async ({ reason }) => void events.push(reason),
      },
    },
    { ...state, group, node: own, ...(leavingMark && { mark: leavingMark }), hasTwins: false },
  );
  return { outcome, events, node: current() };
}

it.each([
  ['of a worker, which is marked as leaving', 'worker', { unschedulable: false, mark: {} }],
  ['of a control plane', 'control-plane', { unschedulable: false }],
] as const)(
  'a node %s takes no new pods while it waits, although something else uncordons it',
  async (_, role, parts) => {
    const waited = await waitIn(role, parts);
    expect(waited.outcome).toMatchObject({
      status: 'again',
      reason: expect.stringMatching(/something else has uncordoned the node .*: it is cordoned again$/),
      facts: { waitsFor: 'replacement' },
    });
    expect(waited.node?.spec?.unschedulable).toBe(true);
    expect(waited.events).toEqual(['NodeCordonedAgain']);
    // Its pods still serve.
    expect(Object.keys(waited.node?.metadata?.labels ?? {})).not.toContain(excludeFromLoadBalancersLabel);
  },
);

it.each([
  ['worker', { unschedulable: true, mark: {} }],
  ['control-plane', { unschedulable: true }],
] as const)('a %s that is still cordoned is not written to for that', async (role, parts) => {
  const waited = await waitIn(role, parts);
  expect(waited.events).toEqual([]);
  expect(waited.outcome).toMatchObject({ reason: expect.not.stringContaining('uncordoned') });
});

it('a control plane waits for the others of its role, and for its own replacement only if a roll replaces it', async () => {
  const group = groupWith(other);
  const tags = { ...group.tags, 'kubernetes.io/cluster/demo': 'owned', 'drover.dev/role': 'control-plane' };
  const first = { ...group, tags };
  const readAt = startedAt - 6000;
  expect(await awaitIn({ first, later: first, readAt })).toEqual({});
  expect(await awaitIn({ first, later: first, readAt, isOfRoll: true })).toMatchObject({
    status: 'again',
    reason: expect.stringContaining(
      'it waits for its replacement, and its pods stay: 1 more of the 2 instances',
    ),
  });
  expect(await awaitIn({ first, later: first, readAt, isOfRoll: true, silent: [other] })).toMatchObject({
    status: 'again',
    reason: expect.stringContaining('before the next one leaves'),
  });
});
