import { describe, expect, it } from 'vitest';
import type { AutoScaling } from '../../../shared/groups/auto-scaling.ts';
import type { LifecycleAction } from '../../../shared/groups/group.ts';
import { completeAction } from '../../../shared/passes/hook-action.ts';

const byInstance: LifecycleAction = {
  autoScalingGroupName: 'workers',
  lifecycleHookName: 'drover-node-leaving',
  instanceId: 'i-0a1b2c3d4e5f60718',
};
const byToken: LifecycleAction = { ...byInstance, lifecycleActionToken: 'old' };

/** One wait. Its token may differ from the token in a message. */
function createWait(token: string | undefined) {
  const asked: (string | undefined)[] = [];
  const isKnown = ({ lifecycleActionToken }: LifecycleAction): boolean => {
    asked.push(lifecycleActionToken);
    return token !== undefined && (lifecycleActionToken === undefined || lifecycleActionToken === token);
  };
  const autoScaling: Pick<AutoScaling, 'complete'> = {
    complete: (action) => Promise.resolve(isKnown(action) ? 'completed' : 'not-active'),
  };
  return { autoScaling, asked };
}

describe('a wait', () => {
  it.each([
    ['its token', 'old', byToken, 'completed', ['old']],
    ['the instance, if the token belongs to an older wait', 'new', byToken, 'completed', ['old', undefined]],
    ['the instance, if no token is known', 'new', byInstance, 'completed', [undefined]],
    ['nothing, if no instance waits', undefined, byToken, 'not-active', ['old', undefined]],
    ['nothing, with one call without a token', undefined, byInstance, 'not-active', [undefined]],
  ] as const)('is found by %s', async (...[, token, action, completed, asked]) => {
    const ended = createWait(token);
    expect(await completeAction(ended.autoScaling, action, 'CONTINUE')).toBe(completed);
    expect(ended.asked).toEqual(asked);
  });
});
