import { describe, expect, it } from 'vitest';
import type { HeartbeatRequest } from '../../../shared/heartbeats/request.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { ensureHeartbeats, holdWhilePaused, leavingPass } from '../../../shared/leaving/pass.ts';
import { formatLeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { excludeFromLoadBalancersLabel, leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
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

describe('the heartbeats of a wait', () => {
  /** The requests that a pass over this notice makes, over and over in one environment. */
  const requestsFor = async (given: LeavingNotice) => {
    const { context } = createLeave();
    const describeHooks = async () => [leavingHook];
    const requests: HeartbeatRequest[] = [];
    const ensureHeartbeats = async (request: HeartbeatRequest) => void requests.push(request);
    const autoScaling = { ...context.autoScaling, describeHooks };
    await leavingPass({ ...context, autoScaling, ensureHeartbeats }, { instanceId, notices: [given] }).catch(
      () => undefined,
    );
    return requests;
  };

  it('are requested by the pass if its notice does not say that they were: an earlier version of Drover sent it', async () => {
    expect(await requestsFor(notice)).toEqual([
      {
        action: { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId },
        transition: 'terminating',
        // It may have begun a timeout ago, so the first heartbeat is due at once.
        noticedAt: startedAt - leavingHook.heartbeatTimeoutSeconds * 1000,
        heartbeatTimeoutSeconds: leavingHook.heartbeatTimeoutSeconds,
      },
    ]);
  });

  it('are requested by the pass of a wait whose event was lost', async () => {
    const { hook: _, ...withoutHook } = notice;
    const swept: LeavingNotice = { ...withoutHook, cause: 'spot-interruption' };
    expect(await requestsFor(swept)).toHaveLength(1);
  });

  it('are not requested again if they were requested with the notice', async () => {
    expect(await requestsFor({ ...notice, hasHeartbeats: true })).toEqual([]);
  });

  it('that cannot be requested are noted, and do not stop the drain', async () => {
    const { context } = createLeave();
    const errors: string[] = [];
    const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults });
    const plan = {
      ...state.plan,
      hook: leavingHook,
      action: { autoScalingGroupName: 'w', lifecycleHookName: 'h', instanceId },
    };
    const ensured = await ensureHeartbeats(
      {
        ...context,
        reportError: (message) => void errors.push(message),
        ensureHeartbeats: () => Promise.reject(new Error('SQS does not respond')),
      },
      { ...state, plan },
    );
    expect(ensured.notes).toEqual(['SQS does not respond']);
    expect(errors).toEqual(['SQS does not respond']);
  });
});

/** Passes over an instance of a paused group, whose Node was marked at the start. */
function createPaused({ unschedulable = true } = {}) {
  const mark = markedAt(startedAt, { waitingFor: ['shop/web-1 (budget web)'] });
  const annotations = { [leavingAnnotation]: formatLeavingMark(mark) };
  const made = createNodeContext(startedAt, node({ annotations, unschedulable }));
  const settings = made.context.settings.defaults;
  const state = leaveState({ noticedAt: startedAt, settings, tags: { [pauseTagKey]: 'true' } });
  return {
    mark,
    node: made.node,
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

it('a pass of a paused group does not cordon again a Node that the operator uncordons during the pause', async () => {
  const { node, current, passAfter } = createPaused({ unschedulable: false });
  await passAfter(leavingHook.heartbeatTimeoutSeconds);
  expect(current()?.renewedAt).not.toBe(new Date(startedAt).toISOString());
  expect(node()?.spec?.unschedulable ?? false).toBe(false);
  expect(node()?.metadata?.labels ?? {}).not.toHaveProperty(excludeFromLoadBalancersLabel);
});
