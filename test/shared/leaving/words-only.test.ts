import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { awaitTurnOnWords, isOnWordsOnly } from '../../../shared/leaving/words-only.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { leaveState } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const id = (number: number): string => `i-${String(number).padStart(17, '0')}`;
const tagsOf = (role: string) => ({ 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': role });

/** Groups of so many instances each, numbered through, and a Ready Node for each instance except those named. */
function createWorld(
  sizes: readonly number[],
  { role = 'control-plane', without = [] as readonly string[] } = {},
) {
  let number = 0;
  const groups = sizes.map((size, index): AutoScalingGroup => {
    const ids = Array.from({ length: size }, () => id((number += 1)));
    const group = groupOf(Object.fromEntries(ids.map((one) => [one, 'InService'])));
    return { ...group, autoScalingGroupName: `masters-${index}`, tags: tagsOf(role) };
  });
  const all = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const nodes = all
    .filter((one) => !without.includes(one))
    .map((instanceId) => node({ name: instanceId, instanceId }));
  const { context } = createNodeContext(startedAt, node());
  return {
    all,
    groups,
    at: (now: number) => ({
      ...context,
      clock: { now: () => now },
      autoScaling: { ...context.autoScaling, listGroups: async () => groups },
      cluster: { ...context.cluster, listNodes: async () => nodes },
      ec2: { describeInstance: async () => undefined },
    }),
  };
}

type World = ReturnType<typeof createWorld>;

/** What a pass at this time over an instance answers for which there is only this notice. */
async function ask(
  { groups, at }: World,
  instanceId: string,
  now: number,
  parts: Partial<LeavingNotice> = {},
) {
  const context = at(now);
  const group = groups.find(({ instances }) => instances.some((one) => one.instanceId === instanceId));
  const member = group?.instances.find((one) => one.instanceId === instanceId);
  if (!group || !member) throw new Error(`no member ${instanceId}`);
  const state = leaveState({ noticedAt: now, settings: context.settings.defaults });
  const notice: LeavingNotice = {
    cause: 'spot-interruption',
    instanceId,
    noticedAt: new Date(now).toISOString(),
    deadline: new Date(now + 120_000).toISOString(),
    ...parts,
  };
  return await awaitTurnOnWords(context, {
    ...state,
    group,
    instance: { ...member, autoScalingGroupName: group.autoScalingGroupName },
    waits: false,
    subject: { instanceId, notices: [notice] },
    plan: { ...state.plan, cause: 'spot-interruption', mustHurry: true },
  });
}

describe('instances of one role for which there are only words', () => {
  it('are never let go together at any time, in any groups, and each has its turn', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.nat(1e9),
        fc.constantFrom('control-plane', 'etcd'),
        async (drawn, offset, role) => {
          const world = createWorld(drawn, { role });
          const went = new Set<string>();
          const rounds = Math.max(...drawn) * drawn.length;
          for (let span = 0; span < rounds; span += 1) {
            const now = startedAt + offset + span * 10_000;
            const answers = await Promise.all(world.all.map((one) => ask(world, one, now)));
            const free = world.all.filter((_, index) => answers[index] === undefined);
            expect(free.length).toBeLessThanOrEqual(1);
            for (const one of free) went.add(one);
          }
          expect(went.size).toBe(world.all.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('wait while one of another group of the role does not serve, and the reason says for what', async () => {
    const world = createWorld([1, 1, 1], { without: [id(3)] });
    const answers = await Promise.all([0, 1, 2].map((span) => ask(world, id(1), startedAt + span * 10_000)));
    expect(answers).not.toContain(undefined);
    expect(answers).toContainEqual(
      expect.objectContaining({
        status: 'again',
        reason: expect.stringMatching(
          /^the role control-plane waits for replacements: 1 more of its 3 instances .* only words say .*Auto Scaling must let it leave$/,
        ),
      }),
    );
  });

  it('stay if the time of the warning passed minutes ago: EC2 would have taken it', async () => {
    const world = createWorld([3]);
    const late = { deadline: new Date(startedAt - 121_000).toISOString() };
    expect(await ask(world, id(1), startedAt, late)).toMatchObject({
      status: 'done',
      reason: 'the time of its warning has passed, and EC2 has not taken it',
    });
  });
});

it.each([
  ['control-plane', false, true],
  ['etcd', false, true],
  ['worker', false, false],
  ['Control-Plane', false, false],
  ['control-plane', true, false],
] as const)(
  'an instance of the role %s that waits on a hook (%s) is on words only: %s',
  (role, waits, expected) => {
    const group = { ...groupOf({ [id(1)]: 'InService' }), tags: tagsOf(role) };
    expect(isOnWordsOnly({ waits, group })).toBe(expected);
  },
);
