import { describe, expect, it } from 'vitest';
import { joiningPass } from '../../../shared/joining/pass.ts';
import {
  createJoiningWorld,
  joiningHook,
  joiningId,
  launchingNotice,
  sweptNotice,
} from '../../support/joining-context.ts';

describe('the heartbeats of a joining instance', () => {
  it('end at the limit of the wait, because no heartbeat extends it after that', async () => {
    const { context, calls, elapse } = createJoiningWorld();
    const describeHooks = async () => [{ ...joiningHook, globalTimeoutSeconds: 300 }];
    const short = { ...context, autoScaling: { ...context.autoScaling, describeHooks } };
    const pass = () => joiningPass(short, { instanceId: joiningId, notices: [launchingNotice] });
    const heartbeats = () => calls.filter((call) => call === 'heartbeat').length;
    await pass();
    elapse(269);
    await pass();
    expect(heartbeats()).toBe(2);
    elapse(101);
    await pass();
    expect(heartbeats()).toBe(2);
  });

  it('begin once its group is read, if the sweep found it or its message names another hook', async () => {
    const anotherHook = { ...launchingNotice.hook, lifecycleHookName: 'drover-etcd-launch' };
    for (const notice of [sweptNotice, { ...launchingNotice, hook: anotherHook }]) {
      const { context, calls } = createJoiningWorld();
      await joiningPass(context, { instanceId: joiningId, notices: [notice] });
      expect(calls).toEqual(['heartbeat']);
    }
  });

  it('are tried once in a pass, and a failed one is noted', async () => {
    const { context, calls } = createJoiningWorld();
    const recordHeartbeat = () => Promise.reject(new Error('throttled'));
    const failing = { ...context, autoScaling: { ...context.autoScaling, recordHeartbeat } };
    const note = `the heartbeat for ${joiningId} could not be sent`;
    expect(await joiningPass(failing, { instanceId: joiningId, notices: [launchingNotice] })).toMatchObject({
      status: 'again',
      reason: `it has no node yet; ${note}`,
    });
    expect(calls).toEqual([`${note}; it is tried again`]);
  });
});
