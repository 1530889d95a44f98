import { describe, expect, it } from 'vitest';
import { planJoin } from '../../../shared/joining/join-plan.ts';
import type { JoiningNotice } from '../../../shared/joining/message.ts';
import {
  joiningHook,
  joiningId,
  launchedAt,
  launchingNotice,
  sweptNotice,
} from '../../support/joining-context.ts';

const at = (notice: JoiningNotice, seconds: number): JoiningNotice => ({
  ...notice,
  noticedAt: new Date(launchedAt + seconds * 1000).toISOString(),
});

const planOf = (notices: readonly JoiningNotice[], { joinTimeoutSeconds = 720, hook = joiningHook } = {}) =>
  planJoin({
    subject: { instanceId: joiningId, notices },
    instance: { autoScalingGroupName: 'workers' },
    settings: { joinTimeoutSeconds, onJoinFailure: 'hold' },
    hook,
  });

describe('the plan of a join', () => {
  it.each([
    ['the latest launch action', [at(launchingNotice, 0), at(launchingNotice, 50)], 50],
    ['the launch action, and not from a later sweep', [launchingNotice, at(sweptNotice, 70)], 0],
    ['the first sweep that found it', [at(sweptNotice, 70), at(sweptNotice, 40)], 40],
  ])('counts from %s', (_, notices, seconds) => {
    expect(planOf(notices).since).toBe(launchedAt + seconds * 1000);
  });

  it('ends half a minute before the global timeout of the hook', () => {
    const { deadlines } = planOf([launchingNotice], { hook: { ...joiningHook, globalTimeoutSeconds: 600 } });
    expect(deadlines).toEqual({ limit: launchedAt + 570_000, deadline: launchedAt + 570_000 });
  });

  it('ends at the time of the tag, if the hook waits longer', () => {
    const { deadlines } = planOf([launchingNotice], { joinTimeoutSeconds: 300 });
    expect(deadlines).toEqual({ limit: launchedAt + 29_970_000, deadline: launchedAt + 300_000 });
  });

  it('identifies the wait by the token of the notice, or only by the instance if the sweep found it', () => {
    const action = {
      autoScalingGroupName: 'workers',
      lifecycleHookName: 'drover-node-joining',
      instanceId: joiningId,
    };
    expect(planOf([launchingNotice, sweptNotice]).action).toEqual({
      ...action,
      lifecycleActionToken: 'token',
    });
    expect(planOf([sweptNotice]).action).toEqual(action);
  });
});
