import { describe, expect, it } from 'vitest';
import { cordonPatch } from '../../../shared/draining/cordon.ts';
import { confirmLeaving, confirmReturn } from '../../../shared/leaving/confirm-leaving.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leaveState, leavingHook, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const launchHook = { ...leavingHook, lifecycleHookName: 'warm-up', transition: 'launching' as const };

interface Case {
  /** What Auto Scaling answers to a heartbeat for our hook. */
  readonly answer?: 'recorded' | 'not-active' | Error;
  readonly token?: string;
  readonly hooks?: readonly (typeof launchHook | typeof leavingHook)[];
  readonly lifecycleState?: string;
}

/** Passes of one environment over an instance in Warmed:Pending:Wait. */
function createReturn({
  answer = new Error('throttled'),
  token,
  hooks = [leavingHook, launchHook],
  ...rest
}: Case) {
  const { context } = createNodeContext(startedAt, node());
  const { group, instance, settings, notes } = leaveState({
    noticedAt: startedAt,
    settings: context.settings.defaults,
  });
  const { lifecycleState = 'Warmed:Pending:Wait' } = rest;
  const hook = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' };
  let heartbeats = 0;
  const autoScaling = {
    ...context.autoScaling,
    describeHooks: () => Promise.resolve(hooks),
    recordHeartbeat: async () => {
      heartbeats += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const confirm = () =>
    confirmReturn(
      { ...context, autoScaling },
      {
        notes,
        subject: {
          instanceId,
          notices: [
            {
              cause: 'terminating',
              destination: 'WarmPool',
              instanceId,
              noticedAt: new Date(startedAt).toISOString(),
              hook: { ...hook, ...(token !== undefined && { lifecycleActionToken: token }) },
            },
          ],
        },
        observation: {
          situation: { kind: 'waiting', toWarmPool: true, keepsNode: false },
          instance: { ...instance, lifecycleState },
          ec2: undefined,
          managedGroup: group,
          settings,
          tagProblems: [],
        },
      },
    );
  return { confirm, heartbeats: () => heartbeats };
}

describe('an instance that the sweep found on its way into the warm pool, in a group with a launching hook', () => {
  it('leaves if Auto Scaling accepts a heartbeat for our hook, and is not asked about again in the next pass', async () => {
    const { confirm, heartbeats } = createReturn({ answer: 'recorded' });
    expect(await confirm()).toEqual({});
    expect(await confirm()).toEqual({});
    expect(heartbeats()).toBe(1);
  });

  it('is not drained if Auto Scaling refuses the heartbeat because nothing waits on our hook', async () => {
    expect(await createReturn({ answer: 'not-active' }).confirm()).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('launched into the warm pool'),
    });
  });

  it('is asked about again if the heartbeat failed', async () => {
    expect(await createReturn({}).confirm()).toMatchObject({ status: 'again', afterSeconds: 5 });
  });
});

it.each<[string, Case]>([
  ['a terminate action with a token is its reason', { token: 'token-1' }],
  ['its group has no launching hook', { hooks: [leavingHook] }],
  ['it waits in Terminating:Wait', { lifecycleState: 'Terminating:Wait' }],
])('an instance leaves without this proof if %s', async (_, given) => {
  const { confirm, heartbeats } = createReturn(given);
  expect(await confirm()).toEqual({});
  expect(heartbeats()).toBe(0);
});

it('a Node that has not joined again with its new root volume keeps its cordon, however old its mark is', async () => {
  const conditions = [{ type: 'Ready', status: 'Unknown' }];
  const away = { ...node(), status: { conditions } } as ReturnType<typeof node>;
  const world = createNodeContext(startedAt, away);
  const mark = markedAt(startedAt, { bootBefore: 'first', until: new Date(startedAt).toISOString() });
  const patch = cordonPatch(away, mark);
  if (patch) await world.context.cluster.patchNode('node-1', patch);
  world.pass(3600);
  const [member] = groupOf({ [instanceId]: 'InService' }).instances;
  if (!member) throw new Error('the group has no member');
  const noticedAt = new Date(startedAt).toISOString();
  const outcome = await confirmLeaving(world.context, {
    subject: { instanceId, notices: [{ cause: 'swept', instanceId, noticedAt, nodeName: 'node-1' }] },
    observation: {
      situation: { kind: 'stays', reason: 'it is InService' },
      instance: { ...member, autoScalingGroupName: 'workers' },
      ec2: undefined,
      managedGroup: undefined,
      settings: world.context.settings.defaults,
      tagProblems: [],
    },
    notes: [],
  });
  expect(outcome).toMatchObject({ status: 'again' });
  expect(readLeavingMark(world.node()?.metadata?.annotations)).toBeDefined();
});
