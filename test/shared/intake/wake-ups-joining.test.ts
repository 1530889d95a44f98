import { describe, expect, it } from 'vitest';
import { type SampleName, samplePlace, sampleText } from '../../../events/index.ts';
import { readHeartbeatMessage } from '../../../shared/heartbeats/message.ts';
import { type HeartbeatRequest, requestHeartbeats } from '../../../shared/heartbeats/request.ts';
import { createHurryLimit } from '../../../shared/intake/hurry-limit.ts';
import { takeIn } from '../../../shared/intake/intake.ts';
import { readJoiningMessage } from '../../../shared/joining/message.ts';
import { createFakeGroups } from '../../support/managed-groups.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';

function createIntake(
  managed: readonly string[] = ['drover-workers'],
  joiningHookName = 'drover-node-joining',
) {
  const fake = createFakeGroups({ members: {}, managed });
  const [leaving, joining, heartbeats] = [createMemoryQueue(), createMemoryQueue(), createMemoryQueue()];
  const clock = { now: () => Date.parse('2026-11-20T09:14:08Z') };
  const take = (...names: readonly SampleName[]) =>
    takeIn(
      names.map((name, index) => ({ key: String(index), text: sampleText(name), receivedAt: clock.now() })),
      {
        place: samplePlace,
        clock,
        groups: fake.groups,
        send: leaving.send,
        requestHeartbeats: (requests: readonly HeartbeatRequest[]) =>
          requestHeartbeats(requests, { send: heartbeats.send, clock }),
        leavingHookName: 'drover-node-leaving',
        hurryLimit: createHurryLimit({ clock, perMinute: 50 }),
        joining: { joiningHookName, send: joining.send },
      },
    );
  return { ...fake, leaving, joining, heartbeats, take };
}

describe('a launch that waits on our hook', () => {
  it('has its heartbeats requested with its message, and fails without them', async () => {
    const { take, joining, heartbeats } = createIntake();
    heartbeats.refuse(() => true);
    const { failed } = await take('launch-action');
    expect([...failed.values()].map(String)).toEqual([
      'Error: the heartbeats of the wait could not be requested',
    ]);
    heartbeats.refuse(() => false);
    await take('launch-action');
    expect(heartbeats.messages.map(({ body }) => readHeartbeatMessage(body))).toMatchObject([
      { kind: 'message', message: { notice: { transition: 'launching' } } },
    ]);
    expect(joining.messages).toHaveLength(1);
    expect(readJoiningMessage(joining.messages[0]?.body ?? '')).toMatchObject({
      message: { notice: { hasHeartbeats: true } },
    });
  });

  it('is sent to the queue of joining nodes, in the message group of its instance', async () => {
    const { take, joining, leaving } = createIntake();
    const { woken } = await take('launch-action');
    expect(woken.map(({ cause }) => cause)).toEqual(['launching']);
    expect(leaving.messages).toEqual([]);
    const [message] = joining.messages;
    expect(readJoiningMessage(message?.body ?? '')).toMatchObject({
      kind: 'message',
      message: { subject: message?.groupId, notice: { cause: 'launching', origin: 'EC2' } },
    });
  });

  it('is sent once, however many channels report it', async () => {
    const { take, joining } = createIntake();
    await take('launch-action', 'launch-action');
    await take('hook-launch');
    expect(joining.messages).toHaveLength(1);
  });

  it.each([
    ['launch-action-into-warm-pool', { destination: 'WarmPool' }],
    ['launch-action-from-warm-pool', { origin: 'WarmPool' }],
  ] as const)('of the event %s says so', async (name, places) => {
    const { take, joining } = createIntake();
    await take(name);
    expect(readJoiningMessage(joining.messages[0]?.body ?? '')).toMatchObject({
      message: { notice: places },
    });
  });

  it('of a foreign group, or on another hook, is ignored', async () => {
    const foreign = createIntake([]);
    const other = createIntake(['drover-workers'], 'my-hook');
    const reasons = [await foreign.take('launch-action'), await other.take('launch-action')].flatMap(
      ({ leftAlone }) => leftAlone.map(({ reason }) => reason),
    );
    expect([...foreign.joining.messages, ...other.joining.messages]).toEqual([]);
    expect(reasons).toEqual([
      expect.stringContaining('is not managed by this cluster'),
      expect.stringContaining('the hook drover-node-joining is not ours'),
    ]);
  });

  it('is retried if its group could not be read, or it could not be sent', async () => {
    const { take, failNext, joining } = createIntake();
    failNext();
    expect([...(await take('launch-action')).failed.keys()]).toEqual(['0']);
    joining.refuse(() => true);
    expect([...(await take('launch-action')).failed.keys()]).toEqual(['0']);
  });
});
