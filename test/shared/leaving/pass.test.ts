import { expect, it } from 'vitest';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { leavingPass } from '../../../shared/leaving/pass.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
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

it('a pass ends only when its Events are recorded, because nothing runs after the answer', async () => {
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

it('a pass over an instance that EC2 reports as gone accepts no answer of Auto Scaling that is older than the report', async () => {
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
