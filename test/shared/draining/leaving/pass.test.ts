import { expect, it } from 'vitest';
import { leavingPass } from '../../../../shared/draining/leaving/pass.ts';
import type { LeavingNotice } from '../../../../shared/lifecycle/notice.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';
import { instanceId, node } from '../../../support/pods.ts';

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
