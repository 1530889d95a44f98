import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SampleName, samplePlace, sampleText } from '../../../events/index.ts';
import { readHeartbeatMessage } from '../../../shared/heartbeats/message.ts';
import { type HeartbeatRequest, requestHeartbeats } from '../../../shared/heartbeats/request.ts';
import { createHurryLimit } from '../../../shared/intake/hurry-limit.ts';
import { takeIn } from '../../../shared/intake/intake.ts';
import { createFakeGroups } from '../../support/managed-groups.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import { readLeavingMessage } from '../../support/read-leaving-message.ts';

const [one, two, three] = ['i-0a1b2c3d4e5f60718', 'i-0f9e8d7c6b5a41302', 'i-0123456789abcdef0'] as const;

function createIntake() {
  const fake = createFakeGroups({
    members: { [one]: 'drover-workers', [two]: 'drover-workers' },
    managed: ['drover-workers'],
  });
  const [queue, heartbeats] = [createMemoryQueue(), createMemoryQueue()];
  let now = Date.parse('2026-11-20T09:14:08Z');
  const clock = { now: () => now };
  const world = {
    place: samplePlace,
    clock,
    groups: fake.groups,
    send: queue.send,
    requestHeartbeats: (requests: readonly HeartbeatRequest[]) =>
      requestHeartbeats(requests, { send: heartbeats.send, clock }),
    leavingHookName: 'drover-node-leaving',
    hurryLimit: createHurryLimit({ clock, perMinute: 50 }),
    joining: { joiningHookName: 'drover-node-joining', send: createMemoryQueue().send },
  };
  const take = (...names: readonly SampleName[]) =>
    takeIn(
      names.map((name, index) => ({ key: `${index} ${name}`, text: sampleText(name), receivedAt: now })),
      world,
    );
  const subjects = () =>
    queue.messages.map(({ body, groupId }) => {
      const reading = readLeavingMessage(body);
      if (reading.kind !== 'message') throw new Error(reading.kind);
      expect(groupId).toBe(reading.message.subject);
      return `${groupId} ${reading.message.notice.cause}`;
    });
  return {
    ...fake,
    queue,
    heartbeats,
    world,
    take,
    subjects,
    pass: (seconds: number) => void (now += seconds * 1000),
  };
}

describe('intake', () => {
  it('requests the heartbeats of a wait once, however many channels report it', async () => {
    const intake = createIntake();
    await intake.take('terminate-action', 'hook-terminate', 'sns-hook-terminate');
    expect(intake.heartbeats.messages.map(({ body }) => readHeartbeatMessage(body))).toMatchObject([
      { kind: 'message', message: { notice: { instanceId: one, transition: 'terminating' } } },
    ]);
    const [sent] = intake.queue.messages.map(({ body }) => readLeavingMessage(body));
    expect(sent).toMatchObject({ message: { notice: { hasHeartbeats: true } } });
  });

  it('fails an event whose heartbeats could not be requested, so that it returns', async () => {
    const intake = createIntake();
    intake.heartbeats.refuse(() => true);
    const { failed } = await intake.take('terminate-action');
    expect([...failed.keys()]).toEqual(['0 terminate-action']);
    intake.heartbeats.refuse(() => false);
    expect((await intake.take('terminate-action')).failed.size).toBe(0);
    expect(intake.heartbeats.messages).toHaveLength(1);
    expect(intake.subjects()).toEqual([`${one} terminating`]);
  });

  it('requests no heartbeats for a warning: no hook holds its instance', async () => {
    const intake = createIntake();
    await intake.take('spot-interruption-terminate');
    expect(intake.heartbeats.messages).toEqual([]);
  });

  it('sends a wait once, however many channels report it', async () => {
    const intake = createIntake();
    await intake.take('terminate-action', 'hook-terminate', 'sns-hook-terminate', 'sns-event');
    expect(intake.subjects()).toEqual([`${one} terminating`]);
  });

  it('sends two reasons for one instance, each in its message group', async () => {
    const intake = createIntake();
    await intake.take('terminate-action', 'spot-interruption-terminate');
    expect(intake.subjects()).toEqual([`${one} terminating`, `${one} spot-interruption`]);
  });

  it('sends a message for each instance of a Health event', async () => {
    const intake = createIntake();
    const report = await intake.take('health-page-1-of-2', 'health-page-2-of-2');
    expect(intake.subjects()).toEqual([`${one} scheduled-change`, `${two} scheduled-change`]);
    expect(report.leftAlone).toEqual([
      { what: 'aws.health AWS Health Event', reason: `${three} is not in an Auto Scaling group` },
    ]);
  });

  it('logs and ignores foreign instances and hooks', async () => {
    const intake = createIntake();
    const report = await intake.take(
      'terminate-action-of-a-foreign-group',
      'terminate-action-of-another-hook',
      'unknown-source',
      'hook-test',
      'health-other-region',
    );
    expect(intake.subjects()).toEqual([]);
    expect(report.failed.size).toBe(0);
    const reasons = report.leftAlone.map(({ reason }) => reason).join('\n');
    for (const word of ['legacy-batch', 'ship-logs', 'unknown kind', 'notification works', 'region'])
      expect(reasons).toContain(word);
  });

  it('reads the groups of all instances in one call, except those that an event names', async () => {
    const intake = createIntake();
    await intake.take('terminate-action', 'rebalance-recommendation', 'health-many-instances');
    expect(intake.asked.instances).toEqual([[one, two, three]]);
    await intake.take('hook-terminate');
    expect(intake.asked.instances).toHaveLength(1);
  });

  it('returns only the events that needed a failed lookup to the queue', async () => {
    const intake = createIntake();
    intake.failNext();
    const report = await intake.take('rebalance-recommendation', 'terminate-action', 'unknown-source');
    expect([...report.failed.keys()]).toEqual(['0 rebalance-recommendation']);
    expect(intake.subjects()).toEqual([`${one} terminating`]);
  });

  it('returns every event whose message was not sent, and a second attempt sends no second message', async () => {
    const intake = createIntake();
    intake.queue.refuse(({ groupId }) => groupId === two);
    const first = await intake.take('health-many-instances', 'terminate-action', 'hook-terminate');
    expect([...first.failed.keys()]).toEqual(['0 health-many-instances']);
    intake.queue.refuse(() => false);
    const second = await intake.take('health-many-instances');
    expect(second.failed.size).toBe(0);
    expect(intake.subjects().toSorted()).toEqual([
      `${one} scheduled-change`,
      `${one} terminating`,
      `${two} scheduled-change`,
    ]);
  });

  it('sends the state change to terminated, but not to shutting-down', async () => {
    const intake = createIntake();
    const report = await intake.take('state-change-shutting-down', 'state-change-terminated');
    expect(intake.subjects()).toEqual([`${one} instance-gone`]);
    expect(report.leftAlone).toEqual([
      {
        what: 'aws.ec2 EC2 Instance State-change Notification',
        reason: 'an instance that is shutting-down is not gone',
      },
    ]);
  });

  it('yields the same subjects for any order, batches and repetition of the events', async () => {
    const names = [
      'terminate-action',
      'hook-terminate',
      'spot-interruption-terminate',
      'health-page-1-of-2',
      'state-change-terminated',
      'unknown-source',
      'terminate-action-of-a-foreign-group',
    ] as const;
    const expected = createIntake();
    await expected.take(...names);
    const deliveries = fc
      .tuple(
        fc.shuffledSubarray([...names], { minLength: names.length }),
        fc.array(fc.constantFrom(...names)),
      )
      .chain(([all, repeated]) =>
        fc.shuffledSubarray([...all, ...repeated], { minLength: all.length + repeated.length }),
      );
    await fc.assert(
      fc.asyncProperty(deliveries, fc.integer({ min: 1, max: 10 }), async (delivered, batchSize) => {
        const intake = createIntake();
        for (let start = 0; start < delivered.length; start += batchSize)
          await intake.take(...delivered.slice(start, start + batchSize));
        expect(intake.subjects().toSorted()).toEqual(expected.subjects().toSorted());
      }),
      { numRuns: 60 },
    );
  });
});
