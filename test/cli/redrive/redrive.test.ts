import { beforeEach, describe, expect, it } from 'vitest';
import { queueParts } from '../../../cli/queues/find-queues.ts';
import { deadLetterQueueNames } from '../../../cli/redrive/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  stateOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { leavingMessage } from '../../../shared/passes/leaving-message.ts';
import { withSender } from '../../support/wiring.ts';
import { operatorOf } from '../operator.ts';

const ana = 'arn:aws:iam::123456789012:user/ana';
let world: DroverWorld;
let ids: readonly string[];

beforeEach(async () => {
  world = createDroverWorld({ editWiring: withSender(ana) });
  ids = await withWorkers(world, { size: 1 });
});

const queueNamed = (part: string): string =>
  world.account.sqs.controls.queueNames().find((name) => name.includes(`-${part}`)) ?? '';
const urlOf = (QueueName: string): string =>
  world.account.sqs.operations.GetQueueUrl({ QueueName }).QueueUrl ?? '';
const parkedIn = (part: string) => world.account.sqs.controls.peek(queueNamed(`${part}DeadLetterQueue`));

/** Puts a message into a queue, as Drover or AWS does. */
const send = (
  part: string,
  MessageBody: string,
  group = 'i-0123456789abcdef0',
  id = MessageBody.slice(0, 8),
) => {
  const isFifo = queueNamed(part).endsWith('.fifo');
  world.account.sqs.controls.send(queueNamed(part), {
    MessageBody,
    ...(isFifo && { MessageGroupId: group, MessageDeduplicationId: id }),
  });
};

/** Drover parks it in the queue of leaving instances, with the reason. */
const park = async (body = 'hello') => {
  send('LeavingQueue', body);
  await world.timeline.until(() => parkedIn('Leaving').length > 0, { withinSeconds: 300, what: 'it parked' });
};

const warning = (instanceId: string) =>
  leavingMessage(
    {
      instanceId,
      cause: 'spot-interruption',
      noticedAt: new Date(world.clock.now()).toISOString(),
    },
    new Date(world.clock.now()).toISOString(),
  ).body;

describe('drover redrive --dry-run', () => {
  it('lists what is parked with its reason, changes nothing, and may be asked again at once', async () => {
    await park();
    send('InboxDeadLetterQueue', '{}');
    const drover = operatorOf(world);
    for (const _ of [1, 2]) {
      const { code, out } = await drover('redrive --dry-run');
      expect(code).toBe(0);
      const [head, ...rows] = out
        .trimEnd()
        .split('\n')
        .map((row) => row.split(/ {2,}/));
      expect(head).toEqual(['QUEUE', 'SUBJECT', 'PARKED', 'STATE', 'REASON']);
      expect(rows).toEqual([
        ['inbox', '-', expect.any(String), 'parked', 'none: SQS moved it after too many receives'],
        ['leaving', 'i-0123456789abcdef0', expect.any(String), 'parked', '(the whole): expected object'],
      ]);
      expect(parkedIn('Leaving').map(({ state }) => state)).toEqual(['visible']);
    }
    const { messages } = JSON.parse((await drover('redrive leaving --dry-run --json')).out);
    expect(messages).toEqual([
      {
        queue: 'leaving',
        messageId: expect.any(String),
        subject: 'i-0123456789abcdef0',
        parkedAt: expect.stringMatching(/^2026-01-05T/),
        state: 'parked',
        reason: '(the whole): expected object',
        sourceQueue: null,
      },
    ]);
  });

  it('says how many wait behind what it lists: a message group shows ten at once', async () => {
    for (let index = 0; index < 12; index += 1)
      send('LeavingDeadLetterQueue', `message ${index}`, 'i-a', `${index}`);
    const { out } = await operatorOf(world)('redrive leaving --dry-run');
    expect(out.split('\n').filter((row) => row.startsWith('leaving'))).toHaveLength(10);
    expect(out).toContain('about 2 more wait behind these');
  });

  it('says so if nothing is parked', async () => {
    expect(await operatorOf(world)('redrive --dry-run')).toEqual({
      code: 0,
      out: 'no message is parked\n',
      err: '',
    });
  });
});

describe('drover redrive', () => {
  it('knows each dead-letter queue of a deployment', async () => {
    const parts = queueParts.flatMap((part) => /^(.+)DeadLetterQueue$/.exec(part)?.[1] ?? []);
    expect([...deadLetterQueueNames]).toEqual(parts.map((part) => part.toLowerCase()));
    for (const part of parts) send(`${part}DeadLetterQueue`, '{}');
    const { code, out } = await operatorOf(world)('redrive --dry-run --json');
    expect(code).toBe(0);
    const { messages } = JSON.parse(out) as { readonly messages: readonly { readonly queue: string }[] };
    expect(messages.map(({ queue }) => queue)).toEqual([...deadLetterQueueNames]);
  });

  it('passes over the queue of rolls where the deployment has none', async () => {
    for (const name of ['RollQueue', 'RollDeadLetterQueue'].map(queueNamed))
      world.account.sqs.operations.DeleteQueue({ QueueUrl: urlOf(name) });
    const drover = operatorOf(world);
    expect(await drover('redrive')).toMatchObject({ code: 0, err: '' });
    expect(await drover('redrive roll')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the deployment has no rolls'),
    });
  });

  it('moves a message back, which Drover then works on', async () => {
    const [id = ''] = ids;
    send('LeavingDeadLetterQueue', warning(id), id);
    expect(await operatorOf(world)('redrive leaving')).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`\\nleaving +${id} .* moved `)),
      err: '',
    });
    expect(parkedIn('Leaving')).toEqual([]);
    await world.timeline.pass(60);
    expect(world.lines).toContainEqual(
      expect.objectContaining({ message: 'pass', subject: id, causes: ['spot-interruption'] }),
    );
    expect(parkedIn('Leaving')).toEqual([]);
  });

  it('moves every message of a group in its order', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    for (const [index, body] of bodies.entries())
      send('CapacityDeadLetterQueue', body, 'workers', `${index}`);
    const drover = operatorOf(world, { pause: () => Promise.resolve() });
    const { code, out } = await drover('redrive capacity --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ left: 0, messages: bodies.map(() => ({ state: 'moved' })) });
    await world.timeline.until(() => parkedIn('Capacity').length === 12, {
      withinSeconds: 300,
      what: 'them parked again',
    });
    expect(parkedIn('Capacity').map(({ body }) => body)).toEqual(bodies);
  });

  it('ends if a message comes back at once, and says so', async () => {
    await park();
    const { code, out, err } = await operatorOf(world, {
      pause: (milliseconds) => world.timeline.pass(milliseconds / 100),
    })('redrive leaving');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'drover: 1 of them came back: Drover still does not understand them\n',
    });
    expect(out).toMatch(/ moved .*\n.* returned /);
    expect(parkedIn('Leaving')).toHaveLength(1);
  });

  it('killed between sending and deleting sends the message once: the next run is within five minutes', async () => {
    send('EtcdDeadLetterQueue', 'hello', 'etcd.example');
    const drover = operatorOf(world, {
      actions: [
        'events:*',
        'sqs:ListQueues',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
        'sqs:SendMessage',
        'sqs:ChangeMessageVisibility',
      ],
    });
    expect(await drover('redrive etcd')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/sqs:deletemessage/i),
      out: expect.stringContaining(' moved '),
    });
    await world.timeline.pass(61);
    expect(parkedIn('Etcd')).toHaveLength(2);
    await operatorOf(world, { pause: () => Promise.resolve() })('redrive etcd');
    await world.timeline.pass(120);
    expect(parkedIn('Etcd')).toHaveLength(1);
  });

  it('keeps a message that it may not send, shows it again, and says who may', async () => {
    world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    send('JoiningDeadLetterQueue', 'hello', 'i-a');
    const { code, err } = await operatorOf(world)('redrive');
    expect(code).toBe(1);
    expect(err).toMatch(
      /joining: message \S+ stays parked: .*explicit deny.* Only operatorRole of the deployment/s,
    );
    expect(parkedIn('Joining').map(({ state }) => state)).toEqual(['visible']);
  });

  it.each([
    ['redrive others', 2, 'Allowed choices are inbox, leaving, joining, heartbeats, etcd, capacity, roll'],
    ['redrive --stage other', 1, 'there is no queue drover-other-InboxDeadLetterQueue'],
  ])('%s is refused', async (line, code, words) => {
    expect(await operatorOf(world)(line)).toMatchObject({ code, err: expect.stringContaining(words) });
  });
});

describe('a queue of another principal', () => {
  const arnOf = (part: string) => `arn:aws:sqs:eu-west-1:123456789012:${queueNamed(part)}`;
  /** Creates a queue that names one of Drover's as its dead-letter queue. */
  const createForeign = (part: string) =>
    world.account.sqs.operations.CreateQueue({
      QueueName: 'mallory.fifo',
      Attributes: {
        FifoQueue: 'true',
        VisibilityTimeout: '0',
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(part), maxReceiveCount: 1 }),
      },
    });

  it('cannot name a queue of work as its dead-letter queue', () => {
    for (const part of ['LeavingQueue', 'JoiningQueue', 'HeartbeatsQueue', 'EtcdQueue', 'CapacityQueue'])
      expect(() => createForeign(part)).toThrow('does not allow this source queue');
  });

  it('cannot have its messages redriven, and doctor names it', async () => {
    const [instanceId = ''] = ids;
    const { QueueUrl } = createForeign('LeavingDeadLetterQueue');
    world.account.sqs.controls.send('mallory.fifo', {
      MessageBody: warning(instanceId),
      MessageGroupId: instanceId,
      MessageDeduplicationId: 'forged',
    });
    for (const _ of [1, 2]) {
      void world.account.sqs.operations.ReceiveMessage({ QueueUrl, VisibilityTimeout: 0 });
      await world.timeline.pass(1);
    }
    expect(parkedIn('Leaving')).toHaveLength(1);
    const drover = operatorOf(world);
    const { code, out, err } = await drover('redrive leaving');
    expect([code, out.includes('foreign'), out.includes('mallory.fifo')]).toEqual([1, true, true]);
    expect(err).toContain("came from queues that are not Drover's");
    await world.timeline.pass(120);
    expect(parkedIn('Leaving')).toHaveLength(1);
    expect(stateOf(world, instanceId)).toBe('InService');
    const report = await drover('doctor');
    expect(report.out).toContain('queue mallory.fifo names it as its dead-letter queue');
  });
});
