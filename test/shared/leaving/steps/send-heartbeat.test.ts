import { describe, expect, it } from 'vitest';
import type { LifecycleAction } from '../../../../shared/groups/group.ts';
import type { LeavePlan } from '../../../../shared/leaving/leave-plan.ts';
import { sendHeartbeat } from '../../../../shared/leaving/steps/send-heartbeat.ts';
import type { LeavingNotice } from '../../../../shared/passes/leaving-notice.ts';
import { beforeNextHeartbeat } from '../../../../shared/passes/next-heartbeat.ts';
import { again } from '../../../../shared/passes/outcome.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const startedAt = Date.UTC(2026, 10, 21, 7);
const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };
const hook = {
  autoScalingGroupName: 'workers',
  lifecycleHookName: 'drover-node-leaving',
  lifecycleActionToken: 'token',
};
const told: LeavingNotice = {
  cause: 'terminating',
  instanceId,
  noticedAt: new Date(startedAt).toISOString(),
  hook,
};
const { hook: _, ...untold } = told;

const planOf = (heartbeatTimeoutSeconds: number, limit = Infinity): LeavePlan => ({
  cause: 'terminating',
  hook: {
    lifecycleHookName: 'drover-node-leaving',
    transition: 'terminating',
    heartbeatTimeoutSeconds,
    globalTimeoutSeconds: 30_000,
    defaultResult: 'CONTINUE',
  },
  action,
  onFailure: 'CONTINUE' as const,
  since: startedAt,
  deadlines: { deadline: Infinity, limit },
  mustHurry: false,
});

/** Passes of one environment; each takes the step as the pass does, before and after the hooks are known. */
function createPasses(answer: () => Promise<'recorded' | 'not-active'> = async () => 'recorded') {
  const { context: made, pass: elapse } = createNodeContext(startedAt, {});
  const sent: LifecycleAction[] = [];
  const errors: string[] = [];
  const context = {
    ...made,
    reportError: (message: string) => void errors.push(message),
    autoScaling: {
      ...made.autoScaling,
      recordHeartbeat: (one: LifecycleAction) => {
        sent.push(one);
        return answer();
      },
    },
  };
  const pass = async (notice: LeavingNotice, plan?: LeavePlan) => {
    const start = { subject: { instanceId, notices: [notice] }, notes: [] };
    const first = await sendHeartbeat(context, start);
    if (!plan) return first;
    return await sendHeartbeat(context, { ...start, ...first, hooks: [], plan });
  };
  return { context, pass, elapse, sent, errors };
}

describe('a heartbeat', () => {
  it('is sent with the hook data of the message, before anything is read', async () => {
    const { pass, sent } = createPasses();
    expect(await pass(told)).toMatchObject({ heartbeat: 'sent' });
    expect(sent).toEqual([{ ...action, lifecycleActionToken: 'token' }]);
  });

  it('is sent once the hooks of the group are known if no message names ours', async () => {
    const { pass, sent } = createPasses();
    expect(await pass({ ...untold, cause: 'spot-interruption' }, planOf(300))).toMatchObject({
      heartbeat: 'sent',
    });
    expect(sent).toEqual([action]);
  });

  it('is sent once a pass, although the step comes twice', async () => {
    const { pass, sent } = createPasses();
    await pass(told, planOf(300));
    expect(sent).toHaveLength(1);
  });

  it('is due when a third of the timeout has passed since the last one', async () => {
    const { pass, elapse } = createPasses();
    await pass(told, planOf(300));
    elapse(99);
    expect(await pass(told, planOf(300))).toMatchObject({ heartbeat: 'not-due' });
    elapse(1);
    expect(await pass(told, planOf(300))).toMatchObject({ heartbeat: 'sent' });
  });

  it('is due by the time at which the last one was sent, however late its answer came', async () => {
    const { pass, elapse } = createPasses(async () => {
      elapse(5);
      return 'recorded';
    });
    await pass(told, planOf(300));
    elapse(95);
    expect(await pass(told, planOf(300))).toMatchObject({ heartbeat: 'sent' });
  });

  it('is due by the shortest timeout that its hook had in this wait', async () => {
    const { pass, elapse } = createPasses();
    await pass(told, planOf(300));
    await pass(told, planOf(3600));
    elapse(100);
    expect(await pass(told, planOf(3600))).toMatchObject({ heartbeat: 'sent' });
  });

  it('is due by the shortest timeout if the hooks cannot be read', async () => {
    const { pass, elapse } = createPasses();
    await pass(told);
    elapse(9);
    expect(await pass(told)).toMatchObject({ heartbeat: 'not-due' });
    elapse(1);
    expect(await pass(told)).toMatchObject({ heartbeat: 'sent' });
  });

  it('is not sent past the limit of the wait', async () => {
    const { pass, elapse, sent } = createPasses();
    await pass(told, planOf(300, startedAt + 100_000));
    elapse(100);
    expect(await pass(told)).toMatchObject({ heartbeat: 'not-due' });
    expect(sent).toHaveLength(1);
  });

  it('is not repeated if Auto Scaling answers that nothing waits', async () => {
    const { pass, elapse, sent, errors } = createPasses(async () => 'not-active');
    expect(await pass(told)).toMatchObject({ heartbeat: 'ended', notes: [] });
    elapse(5);
    expect(await pass(told)).toMatchObject({ heartbeat: 'not-due' });
    expect(sent).toEqual([{ ...action, lifecycleActionToken: 'token' }, action]);
    expect(errors).toEqual([]);
  });

  it('is sent by a message alone for a minute after nothing was said to wait, then only if the plan knows of a wait', async () => {
    const { pass, elapse } = createPasses(async () => 'not-active');
    await pass(told);
    elapse(50);
    expect(await pass(told)).toMatchObject({ heartbeat: 'ended' });
    elapse(50);
    expect(await pass(told)).toMatchObject({ heartbeat: 'unknown' });
    expect(await pass(told, planOf(300))).toMatchObject({ heartbeat: 'ended' });
  });

  it('is not sent for an instance that was released moments ago', async () => {
    const { context, pass, sent } = createPasses();
    context.memory.remember(instanceId, { released: 'completed' });
    await pass(told);
    expect(sent).toEqual([]);
  });

  it('is sent for an instance that was handed back moments ago, whose wait on our hook begins with that', async () => {
    const { context, pass, sent } = createPasses();
    context.memory.remember(instanceId, { released: 'handed-back' });
    await pass(told);
    expect(sent).toHaveLength(1);
  });

  it('that fails is logged and noted, does not end the pass, and is tried again by the next', async () => {
    const { pass, sent, errors } = createPasses(() => Promise.reject(new Error('throttled')));
    const failed = { heartbeat: 'failed', notes: [`the heartbeat for ${instanceId} could not be sent`] };
    expect(await pass(told, planOf(300))).toEqual(failed);
    expect(await pass(told)).toEqual(failed);
    expect(sent).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });
});

describe('the next pass', () => {
  it('comes when its heartbeat is due if that is earlier than the outcome asks for', async () => {
    const { context, pass, elapse } = createPasses();
    await pass(told, planOf(30));
    const next = () => beforeNextHeartbeat(context, instanceId, again(20, 'pods are held'));
    expect(next()).toMatchObject({ afterSeconds: 10 });
    elapse(7.4);
    expect(next()).toMatchObject({ afterSeconds: 2 });
    elapse(7.6);
    expect(next(), 'late already').toMatchObject({ afterSeconds: 5 });
  });

  it('comes as the outcome asks if no heartbeat was sent, or none helps any more', async () => {
    const { context, pass, elapse } = createPasses();
    const next = () => beforeNextHeartbeat(context, instanceId, again(20, 'pods are held'));
    expect(next()).toMatchObject({ afterSeconds: 20 });
    await pass(told, planOf(30, startedAt + 60_000));
    elapse(60);
    expect(next()).toMatchObject({ afterSeconds: 20 });
  });
});
