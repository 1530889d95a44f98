import { describe, expect, it } from 'vitest';
import type { LifecycleAction } from '../../../shared/groups/group.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import type { LeavePlan } from '../../../shared/leaving/leave-plan.ts';
import { holdWhilePaused, leavingPass, sendHeartbeat } from '../../../shared/leaving/pass.ts';
import { formatLeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { beforeNextHeartbeat } from '../../../shared/passes/next-heartbeat.ts';
import { again } from '../../../shared/passes/outcome.ts';
import { pauseTagKey } from '../../../shared/passes/pause.ts';
import { leaveState, leavingHook, markedAt } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { instanceId, node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');
const notice: LeavingNotice = {
  cause: 'terminating',
  instanceId,
  noticedAt: new Date(startedAt).toISOString(),
  hook: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving' },
};

it('a pass sends its heartbeat before it reads anything, so that no failed read costs the wait', async () => {
  const { context } = createNodeContext(startedAt, node());
  const calls: string[] = [];
  const autoScaling = {
    ...context.autoScaling,
    recordHeartbeat: async () => {
      calls.push('heartbeat');
      return 'recorded' as const;
    },
    describeInstance: () => {
      calls.push('read');
      return Promise.reject(new Error('throttled'));
    },
  };
  const subject = { instanceId, notices: [notice] };
  await expect(leavingPass({ ...context, autoScaling }, subject)).rejects.toThrow('throttled');
  expect(calls).toEqual(['heartbeat', 'read']);
});

/** A pass over an instance that waits on our hook in a managed group. */
function createLeave() {
  const group = {
    ...groupOf({ [instanceId]: 'Terminating:Wait' }),
    tags: { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'worker' },
  };
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  const world = createNodeContext(startedAt, node());
  const readFrom: (number | undefined)[] = [];
  const context = {
    ...world.context,
    autoScaling: {
      ...world.context.autoScaling,
      recordHeartbeat: async () => 'recorded' as const,
      describeInstance: async (_: string, notBefore?: number) => {
        readFrom.push(notBefore);
        return { ...member, autoScalingGroupName: 'workers' };
      },
      describeGroup: async () => group,
      listGroups: async () => [group],
      describeHooks: async () => [],
    },
    cluster: { ...world.context.cluster, listPodsOnNode: async () => [] },
  };
  return { ...world, context, readFrom };
}

it('a pass that failed because another Node has the name by now forgets the Node that it remembered', async () => {
  const { context } = createLeave();
  const conflict = new KubernetesError('conflict', 'PATCH /api/v1/nodes/node-1: the UID is another');
  const cluster = { ...context.cluster, patchNode: () => Promise.reject(conflict) };
  const subject = { instanceId, notices: [notice] };
  await expect(leavingPass({ ...context, cluster }, subject)).rejects.toThrow('the UID is another');
  expect(context.memory.recall(instanceId)).toBeUndefined();
});

it('a pass ends only when its Events are recorded, because nothing runs after the response', async () => {
  const { context } = createLeave();
  let hasRecorded = false;
  const cluster = {
    ...context.cluster,
    recordEvent: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      hasRecorded = true;
    },
    listPodsOnNode: () => Promise.reject(new Error('no answer')),
  };
  await expect(leavingPass({ ...context, cluster }, { instanceId, notices: [notice] })).rejects.toThrow();
  expect(hasRecorded).toBe(true);
});

it('a pass over an instance that EC2 reports as gone accepts no response of Auto Scaling that is older than the report', async () => {
  const { context, readFrom } = createLeave();
  const gone: LeavingNotice = { cause: 'instance-gone', instanceId, noticedAt: notice.noticedAt };
  await leavingPass(context, { instanceId, notices: [gone] }).catch(() => undefined);
  await leavingPass(context, { instanceId, notices: [notice] }).catch(() => undefined);
  expect(readFrom).toEqual([startedAt, undefined]);
});

it('a pass that is done ends the heartbeats of its wait, which would otherwise go on beside the other passes of the batch', async () => {
  const { context } = createLeave();
  expect(await leavingPass(context, { instanceId, notices: [notice] })).toMatchObject({ status: 'done' });
  expect(context.memory.lastHeartbeat(instanceId)).toMatchObject({ sentAt: startedAt });
  expect(context.memory.lastHeartbeat(instanceId)?.action).toBeUndefined();
});

const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };
const hook = {
  autoScalingGroupName: 'workers',
  lifecycleHookName: 'drover-node-leaving',
  lifecycleActionToken: 'token',
};
const withHook: LeavingNotice = {
  cause: 'terminating',
  instanceId,
  noticedAt: new Date(startedAt).toISOString(),
  hook,
};
const { hook: _, ...withoutHook } = withHook;

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
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'sent' });
    expect(sent).toEqual([{ ...action, lifecycleActionToken: 'token' }]);
  });

  it('is sent once the hooks of the group are known if no message names ours', async () => {
    const { pass, sent } = createPasses();
    expect(await pass({ ...withoutHook, cause: 'spot-interruption' }, planOf(300))).toMatchObject({
      heartbeat: 'sent',
    });
    expect(sent).toEqual([action]);
  });

  it('is sent once a pass, although the step comes twice', async () => {
    const { pass, sent } = createPasses();
    await pass(withHook, planOf(300));
    expect(sent).toHaveLength(1);
  });

  it('is due when a third of the timeout has passed since the last one', async () => {
    const { pass, elapse } = createPasses();
    await pass(withHook, planOf(300));
    elapse(99);
    expect(await pass(withHook, planOf(300))).toMatchObject({ heartbeat: 'not-due' });
    elapse(1);
    expect(await pass(withHook, planOf(300))).toMatchObject({ heartbeat: 'sent' });
  });

  it('is due by the time at which the last one was sent, however late its answer came', async () => {
    const { pass, elapse } = createPasses(async () => {
      elapse(5);
      return 'recorded';
    });
    await pass(withHook, planOf(300));
    elapse(95);
    expect(await pass(withHook, planOf(300))).toMatchObject({ heartbeat: 'sent' });
  });

  it('is due by the shortest timeout that its hook had in this wait', async () => {
    const { pass, elapse } = createPasses();
    await pass(withHook, planOf(300));
    await pass(withHook, planOf(3600));
    elapse(100);
    expect(await pass(withHook, planOf(3600))).toMatchObject({ heartbeat: 'sent' });
  });

  it('is due by the shortest timeout if the hooks cannot be read', async () => {
    const { pass, elapse } = createPasses();
    await pass(withHook);
    elapse(9);
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'not-due' });
    elapse(1);
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'sent' });
  });

  it('is not sent past the limit of the wait', async () => {
    const { pass, elapse, sent } = createPasses();
    await pass(withHook, planOf(300, startedAt + 100_000));
    elapse(100);
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'not-due' });
    expect(sent).toHaveLength(1);
  });

  it('is not repeated if Auto Scaling answers that nothing waits', async () => {
    const { pass, elapse, sent, errors } = createPasses(async () => 'not-active');
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'ended', notes: [] });
    elapse(5);
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'not-due' });
    expect(sent).toEqual([{ ...action, lifecycleActionToken: 'token' }, action]);
    expect(errors).toEqual([]);
  });

  it('is sent because of a message within a minute after Auto Scaling reported no wait, later only if the plan has a wait', async () => {
    const { pass, elapse } = createPasses(async () => 'not-active');
    await pass(withHook);
    elapse(50);
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'ended' });
    elapse(50);
    expect(await pass(withHook)).toMatchObject({ heartbeat: 'unknown' });
    expect(await pass(withHook, planOf(300))).toMatchObject({ heartbeat: 'ended' });
  });

  it('is not sent for an instance that was released moments ago', async () => {
    const { context, pass, sent } = createPasses();
    context.memory.remember(instanceId, { released: 'completed' });
    await pass(withHook);
    expect(sent).toEqual([]);
  });

  it('is sent for an instance that was handed back moments ago, whose wait on our hook begins with that', async () => {
    const { context, pass, sent } = createPasses();
    context.memory.remember(instanceId, { released: 'handed-back' });
    await pass(withHook);
    expect(sent).toHaveLength(1);
  });

  it('that fails is logged and noted, does not end the pass, and is tried again by the next', async () => {
    const { pass, sent, errors } = createPasses(() => Promise.reject(new Error('throttled')));
    const failed = { heartbeat: 'failed', notes: [`the heartbeat for ${instanceId} could not be sent`] };
    expect(await pass(withHook, planOf(300))).toEqual(failed);
    expect(await pass(withHook)).toEqual(failed);
    expect(sent).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });
});

describe('the next pass', () => {
  it('comes when its heartbeat is due if that is earlier than the outcome asks for', async () => {
    const { context, pass, elapse } = createPasses();
    await pass(withHook, planOf(30));
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
    await pass(withHook, planOf(30, startedAt + 60_000));
    elapse(60);
    expect(next()).toMatchObject({ afterSeconds: 20 });
  });
});

/** Passes over an instance of a paused group, whose Node was marked at the start. */
function createPaused() {
  const mark = markedAt(startedAt, { waitingFor: ['shop/web-1 (budget web)'] });
  const annotations = { [leavingAnnotation]: formatLeavingMark(mark) };
  const made = createNodeContext(startedAt, node({ annotations, unschedulable: true }));
  const settings = made.context.settings.defaults;
  const state = leaveState({ noticedAt: startedAt, settings, tags: { [pauseTagKey]: 'true' } });
  return {
    mark,
    current: () => readLeavingMark(made.node()?.metadata?.annotations),
    passAfter: async (seconds: number) => {
      made.pass(seconds);
      // As in another environment of the function.
      made.context.memory.forget(state.subject.instanceId);
      const notices = state.subject.notices.map((notice) => ({ ...notice, nodeName: 'node-1' }));
      return await holdWhilePaused(made.context, { ...state, subject: { ...state.subject, notices } });
    },
  };
}

it('a pass of a paused group renews the mark a third of the timeout after the last renewal, and changes nothing else', async () => {
  const { mark, current, passAfter } = createPaused();
  const thirdSeconds = leavingHook.heartbeatTimeoutSeconds / 3;
  expect(await passAfter(thirdSeconds - 1)).toMatchObject({ status: 'again', facts: { waitsFor: 'pause' } });
  expect(current()).toEqual(mark);
  await passAfter(1);
  const renewedAt = new Date(startedAt + thirdSeconds * 1000).toISOString();
  expect(current()).toEqual({ ...mark, renewedAt });
});
