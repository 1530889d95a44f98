import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  nodesOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { budget, create, deployment, run } from '../../local/world/workloads.ts';
import { capacityMessage } from '../../shared/capacity/holds/message.ts';

const prefix = 'drover-dev-';

/** Subscribes a queue to the topic of the alarms. */
function subscribe({ account, wiring }: DroverWorld): () => readonly string[] {
  const pager = account.sqs.operations.CreateQueue({ QueueName: 'pager' }).QueueUrl;
  const Endpoint = `arn:aws:sqs:${account.region}:${account.accountId}:pager`;
  const topicArn = wiring.topics[0]?.topicArn ?? '';
  const Policy = JSON.stringify({
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: Endpoint,
        Condition: { ArnEquals: { 'aws:SourceArn': topicArn } },
      },
    ],
  });
  account.sqs.operations.SetQueueAttributes({ QueueUrl: pager, Attributes: { Policy } });
  account.sns.operations.Subscribe({
    TopicArn: topicArn,
    Protocol: 'sqs',
    Endpoint,
    Attributes: { RawMessageDelivery: 'true' },
  });
  return () =>
    account.sqs.controls.peek('pager').map(({ body }) => {
      const { AlarmName, NewStateValue } = JSON.parse(body) as Record<string, string>;
      return `${NewStateValue} ${AlarmName?.replace(prefix, '')}`;
    });
}

/** A deployment that has run for three hours, so that everything that is measured has been; then the pager begins. */
async function createWatchedWorld(options: DroverWorldOptions = {}) {
  const world = createDroverWorld(options);
  world.alarms.start();
  await world.timeline.pass(3 * 3600);
  return { world, pages: subscribe(world) };
}

/** Disables the rule that invokes a function on a schedule. */
function disableScheduleOf({ account }: DroverWorld, functionName: string): void {
  const { Rules } = account.events.operations.ListRules({});
  for (const { Name } of Rules) {
    const { Targets } = account.events.operations.ListTargetsByRule({ Rule: Name });
    if (Targets.some(({ Arn }) => Arn?.endsWith(`:${prefix}${functionName}`)))
      account.events.operations.DisableRule({ Name });
  }
}

describe('the alarms of the deployment', () => {
  it('are all quiet in a healthy hour with a drain in it', async () => {
    const { world, pages } = await createWatchedWorld();
    const [leaving = ''] = await withWorkers(world, { size: 3 });
    await create(world, deployment({ name: 'web', replicas: 6 }), budget('web', { maxUnavailable: 1 }));
    terminate(world, leaving);
    await world.timeline.pass(3600);
    expect(pages()).toEqual([]);
    for (const { alarmName } of world.wiring.alarms)
      expect(world.alarms.stateOf(alarmName), alarmName).toBe('OK');
  });

  it('ring after a new deployment only for what has not run yet, and only until it has', async () => {
    const world = createDroverWorld();
    const pages = subscribe(world);
    world.alarms.start();
    await world.timeline.pass(3 * 3600);
    const notYetRun = ['bootstrap-credential', 'certificate-requests', 'prewarm', 'roll', 'sweep'].map(
      (name) => `${name}-missing`,
    );
    const all = world.wiring.alarms.map(({ alarmName }) => alarmName.replace(prefix, ''));
    expect(pages().toSorted()).toEqual(
      [...notYetRun.map((name) => `ALARM ${name}`), ...all.map((name) => `OK ${name}`)].toSorted(),
    );
    const rang = world.alarms.history().filter(({ after }) => after === 'ALARM');
    for (const { alarm, at } of rang) {
      const ended = world.alarms
        .history()
        .find((one) => one.alarm.alarmName === alarm.alarmName && one.after === 'OK');
      // The credential is looked at once an hour, and there is none before the first run.
      const longest = alarm.alarmName.includes('bootstrap-credential') ? 62 : 7;
      expect(((ended?.at ?? Infinity) - at) / 60_000, alarm.alarmName).toBeLessThan(longest);
    }
  });

  it('notify when no sweep is invoked any more, after a quarter of an hour and not before', async () => {
    const { world, pages } = await createWatchedWorld();
    disableScheduleOf(world, 'sweep');
    await world.timeline.pass(14 * 60);
    expect(pages()).toEqual([]);
    await world.timeline.pass(2 * 60);
    expect(pages()).toEqual(['ALARM sweep-missing']);
  });

  it.each([
    ['prewarm', 16 * 60],
    ['certificate-requests', 16 * 60],
    ['bootstrap-credential', 4 * 3600],
  ])('notify when %s is not invoked any more', async (name, seconds) => {
    const { world, pages } = await createWatchedWorld();
    disableScheduleOf(world, name);
    await world.timeline.pass(seconds);
    expect(pages()).toEqual([`ALARM ${name}-missing`]);
  });

  // Lambda would count the passes of the queue as runs of prewarm.
  it('notify when the holds are not read any more, also while passes of a hold run', async () => {
    const { world, pages } = await createWatchedWorld();
    await withWorkers(world, { size: 1 });
    disableScheduleOf(world, 'prewarm');
    const queue = world.account.sqs.controls.queueNames().find((one) => /-CapacityQueue/.test(one)) ?? '';
    for (let minute = 0; minute < 20; minute += 1) {
      const now = new Date(world.clock.now()).toISOString();
      const notice = { cause: 'looked', autoScalingGroupName: 'workers', noticedAt: now } as const;
      const { body, groupId, deduplicationId } = capacityMessage(notice);
      world.account.sqs.controls.send(queue, {
        MessageBody: body,
        MessageGroupId: groupId,
        MessageDeduplicationId: deduplicationId,
      });
      await world.timeline.pass(60);
    }
    expect(pages()).toContain('ALARM prewarm-missing');
  });

  it('ring when every sweep fails, after a quarter of an hour and not before', async () => {
    let isAway = false;
    const strike = ({ caller }: CallInFlight): Strike | undefined =>
      isAway && caller === 'sweep' ? { kind: 'fail-before' } : undefined;
    const { world, pages } = await createWatchedWorld({ weather: { strike } });
    isAway = true;
    // The last good sweep was five minutes ago.
    await world.timeline.pass(10 * 60);
    expect(pages()).toEqual([]);
    await world.timeline.pass(2 * 60);
    const rung = ['ALARM failed-passes', 'ALARM sweep-errors'];
    expect(pages()).toEqual(rung);
    isAway = false;
    await world.timeline.pass(7 * 60);
    expect(pages()).toEqual([...rung, 'OK failed-passes', 'OK sweep-errors']);
  });

  it('ring for a poison message and for an undelivered event', async () => {
    const { world, pages } = await createWatchedWorld();
    const { sqs } = world.account;
    const queueNamed = (name: RegExp): string =>
      sqs.controls.queueNames().find((one) => name.test(one)) ?? '';
    sqs.controls.send(queueNamed(/-InboxQueue$/), { MessageBody: 'hello' });
    sqs.controls.send(queueNamed(/-LeavingQueue.fifo$/), {
      MessageBody: 'hello',
      MessageGroupId: 'i-0123456789abcdef0',
      MessageDeduplicationId: 'one',
    });
    sqs.controls.send(queueNamed(/-UndeliveredQueue$/), { MessageBody: '{}' });
    await world.timeline.pass(10 * 60);
    expect(pages().toSorted()).toEqual([
      'ALARM inbox-dead-letters',
      'ALARM leaving-dead-letters',
      'ALARM undelivered',
    ]);
  });

  it('ring for a drain that is past its deadline', async () => {
    const { world, pages } = await createWatchedWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '5m' } });
    await run(
      world,
      deployment({
        name: 'stuck',
        replicas: 1,
        graceSeconds: 3600,
        stopsAfterSeconds: 3600,
      }),
      budget('stuck', { maxUnavailable: 0 }),
    );
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(20 * 60);
    expect(pages()).toEqual(['ALARM deadline-overdue']);
  });

  it('ring for failed passes and failed sweeps while the API server does not answer', async () => {
    let isAway = false;
    const strike = ({ to }: CallInFlight): Strike | undefined =>
      isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    const { world, pages } = await createWatchedWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    isAway = true;
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(30 * 60);
    expect(pages()).toEqual(expect.arrayContaining(['ALARM failed-passes', 'ALARM sweep-errors']));
  });

  it('ring for a sweep that would delete more nodes than it may', async () => {
    const { world, pages } = await createWatchedWorld();
    const ids = await withWorkers(world, { size: 12, hook: undefined });
    world.account.events.disturb({ lost: 1 });
    for (const id of ids) terminate(world, id, { replace: false });
    await world.timeline.pass(5 * 60);
    world.account.events.disturb({});
    await world.timeline.pass(30 * 60);
    expect(pages()).toContain('ALARM bound-exceeded');
    expect(nodesOf(world)).toHaveLength(12);
  });

  it('ring for nodes that are not repaired because so many fail at once', async () => {
    const { world, pages } = await createWatchedWorld();
    const ids = await withWorkers(world, { size: 4, tags: { 'drover.dev/repair': 'NotReady=5m' } });
    for (const id of ids.slice(1)) world.kubelets.get(id)?.stop();
    await world.timeline.pass(30 * 60);
    expect(pages()).toEqual(['ALARM repairs-withheld']);
  });

  it('ring for a notification that EventBridge does not take, and are quiet again once it takes them', async () => {
    let isAway = true;
    const strike = ({ what }: CallInFlight): Strike | undefined =>
      isAway && what === 'events PutEvents' ? { kind: 'fail-before' } : undefined;
    const { world, pages } = await createWatchedWorld({ weather: { strike } });
    const [one = '', other = ''] = await withWorkers(world, { size: 3 });
    terminate(world, one, { replace: false });
    await world.timeline.pass(30 * 60);
    // The digest of problems is tried again at each sweep.
    expect(pages()).toEqual(['ALARM notifications-failed']);
    isAway = false;
    terminate(world, other, { replace: false });
    await world.timeline.pass(20 * 60);
    expect(pages()).toEqual(['ALARM notifications-failed', 'OK notifications-failed']);
  });
});
