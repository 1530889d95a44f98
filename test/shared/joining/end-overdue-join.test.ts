import { describe, expect, it } from 'vitest';
import { joiningPass } from '../../../shared/joining/pass.ts';
import type { Notification } from '../../../shared/notifications/notification.ts';
import { createJoiningWorld, joiningId, launchingNotice } from '../../support/joining-context.ts';

/** Passes over an instance without a Node. Every notification fails. */
function createOverdueJoin({
  onFailure = 'hold',
  state = 'running',
}: {
  readonly onFailure?: string;
  readonly state?: 'running' | 'terminated';
} = {}) {
  const { context, calls, group, elapse } = createJoiningWorld();
  const notified: Notification[] = [];
  const pass = async () =>
    await joiningPass(
      {
        ...context,
        notify: async (notification) => {
          calls.push(`notify ${notification.kind}`);
          notified.push(notification);
          return 'failed';
        },
        ec2: {
          describeInstance: async (instanceId) => {
            const instance = await context.ec2.describeInstance(instanceId);
            return instance && { ...instance, state };
          },
        },
        autoScaling: {
          ...context.autoScaling,
          describeGroup: async () => group({ 'drover.dev/on-join-failure': onFailure }),
        },
      },
      { instanceId: joiningId, notices: [launchingNotice] },
    );
  const acts = () => calls.filter((call) => /^(notify|ABANDON|CONTINUE)/.test(call));
  return { pass, notified, acts, elapse };
}

describe('an instance that has not joined in time', () => {
  it('is notified of after its deadline, and for ten minutes by each pass whose notification failed', async () => {
    const { pass, acts, elapse } = createOverdueJoin();
    elapse(720);
    await pass();
    expect(acts()).toEqual([]);
    elapse(1);
    await pass();
    elapse(598);
    await pass();
    expect(acts()).toEqual(['notify join-failed', 'notify join-failed']);
    elapse(1);
    await pass();
    expect(acts()).toHaveLength(2);
  });

  it('is notified of with its deadline, the steps of its join, and what happens to it', async () => {
    const { pass, notified, elapse } = createOverdueJoin();
    elapse(721);
    await pass();
    expect(notified).toEqual([
      {
        kind: 'join-failed',
        occurrence: `${joiningId}/2026-11-21T07:00:00.000Z`,
        message: expect.stringMatching(
          /^instance i-0a1b2c3d4e5f60718 of group workers has not joined: .*it is held/,
        ),
        facts: {
          autoScalingGroupName: 'workers',
          instanceId: joiningId,
          deadline: '2026-11-21T07:12:00.000Z',
          reasons: expect.arrayContaining([expect.any(String)]),
        },
      },
    ]);
  });

  it.each([
    ['at its deadline', 721],
    ['hours later', 9000],
  ])('is notified of before its launch is abandoned, %s', async (_, seconds) => {
    const { pass, acts, elapse } = createOverdueJoin({ onFailure: 'ABANDON' });
    elapse(seconds);
    await pass();
    expect(acts()).toEqual(['notify join-failed', 'ABANDON token']);
  });

  it('is notified of before its launch is abandoned because EC2 has terminated it', async () => {
    const { pass, notified, acts } = createOverdueJoin({ state: 'terminated' });
    await pass();
    expect(acts()).toEqual(['notify join-failed', 'ABANDON token']);
    expect(notified[0]?.message).toContain('EC2 has terminated it');
  });
});
