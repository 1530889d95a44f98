import { describe, expect, it } from 'vitest';
import {
  type HeartbeatNotice,
  heartbeatMessage,
  readHeartbeatMessage,
} from '../../../shared/heartbeats/message.ts';
import { createEnsureHeartbeats, noticeOf } from '../../../shared/heartbeats/request.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'drover-node-leaving', instanceId };
const noticedAt = Date.parse('2026-11-21T07:00:00Z');
const sentAt = '2026-11-21T07:00:01.000Z';
const noticeFor = (parts: Partial<typeof action> & { lifecycleActionToken?: string } = {}, at = noticedAt) =>
  noticeOf({ action: { ...action, ...parts }, transition: 'terminating', noticedAt: at });

describe('the message of a wait', () => {
  it('can be read again', () => {
    const { body, groupId } = heartbeatMessage(noticeFor(), sentAt);
    expect(readHeartbeatMessage(body)).toMatchObject({
      kind: 'message',
      message: { subject: groupId, notice: noticeFor() },
    });
  });

  it('is in the message group of its instance and its hook, however long the name of the hook is', () => {
    const groups = [
      noticeFor(),
      noticeFor({ lifecycleHookName: 'x'.repeat(255) }),
      noticeFor({ instanceId: 'i-0f9e8d7c6b5a41302' }),
    ].map((notice) => heartbeatMessage(notice, sentAt).groupId ?? '');
    expect(new Set(groups).size).toBe(3);
    for (const group of groups) expect(group.length).toBeLessThanOrEqual(128);
  });

  it('is dropped by SQS if another channel reports the same wait: the token identifies it, or else the time', () => {
    const idOf = (...given: Parameters<typeof noticeFor>) =>
      heartbeatMessage(noticeFor(...given), sentAt).deduplicationId;
    const token = { lifecycleActionToken: 'token-1' };
    expect(idOf(token)).toBe(idOf(token, noticedAt + 1000));
    expect(idOf({ lifecycleActionToken: 'token-2' })).not.toBe(idOf(token));
    expect(idOf({}, noticedAt + 1000)).not.toBe(idOf());
  });

  it('asks for the same as any other message of the wait, so that repeated ones are absorbed', () => {
    const keyOf = (notice: ReturnType<typeof noticeFor>) => {
      const reading = readHeartbeatMessage(heartbeatMessage(notice, sentAt).body);
      return reading.kind === 'message' ? reading.message.reasonKey : reading.kind;
    };
    const token = { lifecycleActionToken: 'token-1' };
    expect(keyOf(noticeFor(token))).toBe(keyOf(noticeFor(token, noticedAt + 9000)));
    expect(keyOf(noticeFor())).toBe(keyOf(noticeFor({}, noticedAt + 9000)));
    // A new wait of an instance that came back is not absorbed by the message of the former one.
    expect(keyOf(noticeFor({ lifecycleActionToken: 'token-2' }))).not.toBe(keyOf(noticeFor(token)));
  });

  it('is not absorbed by one that knows less about the timeout of the wait', () => {
    const keyOf = (known: Partial<HeartbeatNotice>) => {
      const reading = readHeartbeatMessage(heartbeatMessage({ ...noticeFor(), ...known }, sentAt).body);
      return reading.kind === 'message' ? reading.message.reasonKey : reading.kind;
    };
    const keys = [{}, { heartbeatTimeoutSeconds: 60 }, { restartedAt: sentAt }].map(keyOf);
    expect(new Set(keys).size).toBe(3);
  });

  it('is parked if its instance has no id, and kept if a newer version wrote it', () => {
    const message = JSON.parse(heartbeatMessage(noticeFor(), sentAt).body) as Record<string, unknown>;
    const poison = { ...message, notice: { ...noticeFor(), instanceId: '*' } };
    expect(readHeartbeatMessage(JSON.stringify(poison))).toMatchObject({ kind: 'poison' });
    expect(readHeartbeatMessage(JSON.stringify({ ...message, version: 2 }))).toMatchObject({ kind: 'newer' });
  });
});

describe('a pass that finds a wait', () => {
  const request = { action, transition: 'terminating', noticedAt } as const;

  it('requests its heartbeats once in five minutes, as SQS drops repetitions for that long', async () => {
    let now = noticedAt;
    const queue = createMemoryQueue();
    const sent: unknown[] = [];
    const send: typeof queue.send = (messages) => {
      sent.push(...messages);
      return queue.send(messages);
    };
    const ensure = createEnsureHeartbeats({ send, clock: { now: () => now } });
    await ensure(request);
    now += 299_000;
    await ensure(request);
    expect(sent).toHaveLength(1);
    now += 1000;
    await ensure(request);
    expect(sent).toHaveLength(2);
  });

  it('requests them again after the clock was set back', async () => {
    let now = noticedAt;
    const queue = createMemoryQueue();
    let requests = 0;
    const send: typeof queue.send = (messages) => {
      requests += 1;
      return queue.send(messages);
    };
    const ensure = createEnsureHeartbeats({ send, clock: { now: () => now } });
    await ensure(request);
    now -= 3_600_000;
    await ensure(request);
    expect(requests).toBe(2);
  });

  it('requests them again at once if SQS refused', async () => {
    const queue = createMemoryQueue();
    const ensure = createEnsureHeartbeats({ send: queue.send, clock: { now: () => noticedAt } });
    queue.refuse(() => true);
    await expect(ensure(request)).rejects.toThrow(`heartbeats for ${instanceId} could not be requested`);
    queue.refuse(() => false);
    await ensure(request);
    expect(queue.messages).toHaveLength(1);
  });
});
