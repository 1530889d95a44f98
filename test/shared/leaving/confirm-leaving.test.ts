import { describe, expect, it } from 'vitest';
import { cordonPatch } from '../../../shared/draining/cordon.ts';
import { confirmLeaving, confirmReturn } from '../../../shared/leaving/confirm-leaving.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import type { HeartbeatResult } from '../../../shared/passes/heartbeats.ts';
import { leaveState, leavingHook, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const launchHook = { ...leavingHook, lifecycleHookName: 'warm-up', transition: 'launching' as const };
const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };

interface Case {
  readonly heartbeat: HeartbeatResult['heartbeat'];
  readonly token?: string;
  readonly hooks?: readonly (typeof launchHook | typeof leavingHook)[];
  readonly lifecycleState?: string;
  readonly lastSentAt?: number;
}

function confirm({ heartbeat, token, hooks = [leavingHook, launchHook], ...rest }: Case) {
  const { context } = createNodeContext(startedAt, node());
  const { group, instance, settings, notes } = leaveState({
    noticedAt: startedAt,
    settings: context.settings.defaults,
  });
  const { lifecycleState = 'Warmed:Pending:Wait', lastSentAt: sentAt } = rest;
  if (sentAt !== undefined)
    context.memory.rememberHeartbeat(instanceId, { action, sentAt, triedAt: startedAt });
  const hook = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' };
  return confirmReturn(
    {
      ...context,
      autoScaling: { ...context.autoScaling, describeHooks: () => Promise.resolve(hooks) },
    },
    {
      notes,
      heartbeat,
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
}

describe('an instance that the sweep found on its way into the warm pool, in a group with a launching hook', () => {
  it.each<[string, Case]>([
    ['Auto Scaling accepts a heartbeat for our hook', { heartbeat: 'sent' }],
    ['it accepted an earlier one', { heartbeat: 'not-due', lastSentAt: startedAt - 60_000 }],
  ])('leaves if %s', async (_, given) => expect(await confirm(given)).toEqual({}));

  it.each<[string, Case]>([
    ['Auto Scaling refuses the heartbeat because nothing waits on our hook', { heartbeat: 'ended' }],
    ['no wait on our hook is known', { heartbeat: 'not-due' }],
    ['no heartbeat was sent', { heartbeat: 'unknown' }],
  ])('is not drained if %s', async (_, given) =>
    expect(await confirm(given)).toMatchObject({
      status: 'done',
      reason: expect.stringContaining('launched into the warm pool'),
    }),
  );

  it.each<[string, Case]>([
    ['for the first time', { heartbeat: 'failed' }],
    ['again, and none was ever sent', { heartbeat: 'failed', lastSentAt: -Infinity }],
  ])('is asked about again if the heartbeat failed %s', async (_, given) =>
    expect(await confirm(given)).toMatchObject({ status: 'again' }),
  );
});

it.each<[string, Case]>([
  ['a terminate action with a token is its reason', { heartbeat: 'ended', token: 'token-1' }],
  ['its group has no launching hook', { heartbeat: 'failed', hooks: [leavingHook] }],
  ['it waits in Terminating:Wait', { heartbeat: 'ended', lifecycleState: 'Terminating:Wait' }],
])('an instance leaves without this proof if %s', async (_, given) =>
  expect(await confirm(given)).toEqual({}),
);

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
