import { describe, expect, it } from 'vitest';
import { joiningPass } from '../../../shared/joining/pass.ts';
import {
  createJoiningWorld,
  joiningId,
  launchingNotice,
  sweptNotice,
} from '../../support/joining-context.ts';

describe('the heartbeats of a joining instance', () => {
  const { hasHeartbeats: _, ...launching } = launchingNotice;
  const anotherHook = { ...launching.hook, lifecycleHookName: 'drover-etcd-launch' };

  it.each([
    ['an earlier version of Drover sent its message', launching],
    ['its message names another hook', { ...launching, hook: anotherHook }],
  ])('are requested by its pass if %s', async (_case, notice) => {
    const { context, calls } = createJoiningWorld();
    await joiningPass(context, { instanceId: joiningId, notices: [notice] });
    expect(calls).toEqual(['heartbeats for drover-node-joining']);
  });

  it('are not requested again if they were requested with its message', async () => {
    const { context, calls } = createJoiningWorld();
    await joiningPass(context, { instanceId: joiningId, notices: [{ ...sweptNotice, hasHeartbeats: true }] });
    expect(calls).toEqual([]);
  });

  it('that cannot be requested are noted, and do not end the join', async () => {
    const { context, calls } = createJoiningWorld();
    const failing = { ...context, ensureHeartbeats: () => Promise.reject(new Error('SQS is away')) };
    const outcome = await joiningPass(failing, { instanceId: joiningId, notices: [launching] });
    expect(outcome).toMatchObject({ status: 'again', reason: 'it has no node yet; SQS is away' });
    expect(calls).toEqual(['SQS is away']);
  });
});
