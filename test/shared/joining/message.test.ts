import { describe, expect, it } from 'vitest';
import { joiningMessage, readJoiningMessage } from '../../../shared/joining/message.ts';
import { joiningId, launchingNotice, sweptNotice } from '../../support/joining-context.ts';

const sentAt = '2026-11-21T07:00:01.000Z';

describe('a message for a joining instance', () => {
  it('is read as it was written, in the group of its instance', () => {
    const { body, groupId } = joiningMessage(launchingNotice, sentAt);
    expect(groupId).toBe(joiningId);
    expect(readJoiningMessage(body)).toMatchObject({
      kind: 'message',
      message: { subject: joiningId, notice: launchingNotice, hop: 0 },
    });
  });

  it('is sent once for a wait, even if it is reported with different times', () => {
    const later = { ...launchingNotice, noticedAt: sentAt };
    const idOf = (notice: typeof later) => joiningMessage(notice, sentAt).deduplicationId;
    expect(idOf(later)).toBe(idOf(launchingNotice));
    expect(idOf({ ...sweptNotice, noticedAt: sentAt })).not.toBe(idOf(sweptNotice));
  });

  it.each([
    ['the heartbeats that were requested', { hasHeartbeats: true }],
    ['the warm pool that the instance comes from', { origin: 'WarmPool' }],
    ['the warm pool that the instance goes to', { destination: 'WarmPool' }],
  ] as const)('keeps %s', (_, part) => {
    const notice = { ...launchingNotice, ...part };
    expect(readJoiningMessage(joiningMessage(notice, sentAt).body)).toMatchObject({ message: { notice } });
  });

  it('is sent again for another instance, another token or another cause', () => {
    const others = [
      launchingNotice,
      { ...launchingNotice, instanceId: 'i-0f9e8d7c6b5a41302' },
      { ...launchingNotice, hook: { ...launchingNotice.hook, lifecycleActionToken: 'another' } },
      { ...launchingNotice, hook: { ...launchingNotice.hook, autoScalingGroupName: 'others' } },
      { ...launchingNotice, cause: 'swept' as const },
    ];
    expect(new Set(others.map((notice) => joiningMessage(notice, sentAt).deduplicationId)).size).toBe(5);
  });

  it('of a later version is kept, and one that no version can read is poison', () => {
    expect(readJoiningMessage('{"version":2}')).toEqual({ kind: 'newer', version: 2 });
    expect(readJoiningMessage('{"version":1,"work":"node-leaving"}').kind).toBe('poison');
  });
});
