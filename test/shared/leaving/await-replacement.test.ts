import { expect, it } from 'vitest';
import { awaitReplacement } from '../../../shared/leaving/await-replacement.ts';
import { leaveState } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const other = 'i-0aaaaaaaaaaaaaaaa';
const replacement = 'i-0bbbbbbbbbbbbbbbb';

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
}: {
  readonly first: ReturnType<typeof groupWith>;
  readonly later: ReturnType<typeof groupWith>;
  readonly readAt: number;
  readonly silent?: readonly string[];
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
  const [own] = nodes;
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
