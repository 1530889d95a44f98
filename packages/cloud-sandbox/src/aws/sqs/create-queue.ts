import type { CreateQueueCommandInput } from '@aws-sdk/client-sqs';
import { AwsError } from '../service.ts';
import { checkAttributes, checkThroughput, withDefaults } from './attributes.ts';
import { invalidValue } from './errors.ts';
import type { Queue } from './queue.ts';
import { checkRedrive, parseRedrivePolicy } from './redrive-policy.ts';
import { nameOfArn, type SqsWorld } from './world.ts';

const deletionMilliseconds = 60_000;

/**
 * CreateQueue: the queue of that name, new or the same as before. Throws QueueNameExists if it exists with other
 * attributes, and QueueDeletedRecently within 60 seconds of its deletion.
 */
export function createQueue(world: SqsWorld, input: CreateQueueCommandInput): Queue {
  const name = input.QueueName ?? '';
  const asked = input.Attributes ?? {};
  const fifo = asked.FifoQueue === 'true';
  checkName(name, fifo);
  checkAttributes(fifo, asked);
  const existing = world.queues.get(name);
  if (existing !== undefined) return sameQueue(existing, asked);
  checkDeletion(world, name);
  const now = world.clock.now();
  const queue: Queue = {
    name,
    arn: `arn:aws:sqs:${world.region}:${world.accountId}:${name}`,
    fifo,
    createdAt: now,
    lastModifiedAt: now,
    attributes: withDefaults(fifo, asked),
    tags: new Map(Object.entries(input.tags ?? {})),
    redrive: undefined,
    messages: new Map(),
    deduplications: new Map(),
    attempts: new Map(),
    purgedAt: undefined,
    sequence: 0n,
  };
  checkThroughput(queue.attributes);
  applyRedrive(world, queue);
  world.queues.set(name, queue);
  return queue;
}

function checkName(name: string, fifo: boolean): void {
  const base = fifo ? name.replace(/\.fifo$/, '') : name;
  const suffixed = !fifo || name.endsWith('.fifo');
  if (suffixed && name.length <= 80 && /^[\w-]+$/.test(base)) return;
  const reason = fifo
    ? 'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length.'
    : 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length';
  throw invalidValue('QueueName', name, reason);
}

function sameQueue(queue: Queue, asked: Readonly<Record<string, string>>): Queue {
  const different = Object.entries(asked).find(([name, value]) => queue.attributes.get(name) !== value);
  if (different === undefined) return queue;
  throw new AwsError({
    code: 'QueueNameExists',
    message: `A queue already exists with the same name and a different value for attribute ${different[0]}`,
  });
}

function checkDeletion(world: SqsWorld, name: string): void {
  const deletedAt = world.deletions.get(name);
  if (deletedAt === undefined || world.clock.now() >= deletedAt + deletionMilliseconds) return;
  throw new AwsError({
    code: 'QueueDeletedRecently',
    message:
      'You must wait 60 seconds after deleting a queue before you can create another with the same name.',
  });
}

function applyRedrive(world: SqsWorld, queue: Queue): void {
  const text = queue.attributes.get('RedrivePolicy');
  const redrive = parseRedrivePolicy(text);
  if (redrive !== undefined && text !== undefined) {
    checkRedrive(queue, text, world.queues.get(nameOfArn(redrive.deadLetterTargetArn)));
  }
  queue.redrive = redrive;
}

/** SetQueueAttributes. An empty value takes an optional attribute away. */
export function setAttributes(world: SqsWorld, queue: Queue, asked: Readonly<Record<string, string>>): void {
  checkAttributes(queue.fifo, asked);
  const before = new Map(queue.attributes);
  for (const [name, value] of Object.entries(asked)) {
    if (value === '') queue.attributes.delete(name);
    else queue.attributes.set(name, value);
  }
  try {
    checkThroughput(queue.attributes);
    applyRedrive(world, queue);
  } catch (error) {
    for (const name of Object.keys(asked)) restore(queue.attributes, name, before.get(name));
    throw error;
  }
  queue.lastModifiedAt = world.clock.now();
}

function restore(attributes: Map<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) attributes.delete(name);
  else attributes.set(name, value);
}
