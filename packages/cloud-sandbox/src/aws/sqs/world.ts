import type { SimulationClock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import { queueDoesNotExist } from './errors.ts';
import type { StoredMessage } from './message.ts';
import type { Queue } from './queue.ts';

export interface SqsOptions {
  readonly clock: SimulationClock;
  readonly random: Random;
  readonly accountId: string;
  readonly region: string;
  /** What queue URLs begin with; by default `https://sqs.<region>.amazonaws.com`. On the wire: the server's own URL. */
  readonly queueUrlBase?: () => string;
  /**
   * Whether a ReceiveMessage with a wait time really waits on the clock (the wire), or returns at once with what there is
   * (in process, because time does not pass during a call).
   */
  readonly longPolling?: boolean;
  /** In [0, 1]: how often a standard queue hands out a message twice, as SQS may. */
  readonly duplicateChance?: number;
}

/** What every operation of the simulated SQS works on. */
export interface SqsWorld extends SqsOptions {
  readonly queues: Map<string, Queue>;
  /** Deleted queues, by name: when. */
  readonly deletions: Map<string, number>;
  /** Calls back, later at the same instant, every receiver that waits for messages of the queue. */
  readonly announce: (queue: Queue) => void;
  /** Announces the queue when the message becomes visible. */
  readonly announceLater: (queue: Queue, message: StoredMessage) => void;
  readonly listeners: Map<string, Set<() => void>>;
}

export function createWorld(options: SqsOptions): SqsWorld {
  const listeners = new Map<string, Set<() => void>>();
  const announced = new Set<string>();
  const announce = (queue: Queue): void => {
    if (announced.has(queue.name)) return;
    announced.add(queue.name);
    options.clock.after(0, () => {
      announced.delete(queue.name);
      for (const listener of listeners.get(queue.name) ?? []) listener();
    });
  };
  const announceLater = (queue: Queue, message: StoredMessage): void => {
    message.timer?.cancel();
    const delay = message.visibleAt - options.clock.now();
    if (delay <= 0) announce(queue);
    else message.timer = options.clock.after(delay, () => announce(queue));
  };
  return { ...options, queues: new Map(), deletions: new Map(), announce, announceLater, listeners };
}

/** Subscribes to "something of this queue may be receivable now". Returns how to stop. */
export function listen(world: SqsWorld, queueName: string, listener: () => void): () => void {
  const listeners = world.listeners.get(queueName) ?? new Set();
  world.listeners.set(queueName, listeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const urlOf = (world: SqsWorld, queue: Queue): string => {
  const base = world.queueUrlBase?.() ?? `https://sqs.${world.region}.amazonaws.com`;
  return `${base}/${world.accountId}/${queue.name}`;
};

const nameOfUrl = (url: string): string => url.split('/').at(-1) ?? '';

export const nameOfArn = (arn: string): string => arn.split(':').at(-1) ?? '';

/** The queue of a URL, whatever host it names. Throws QueueDoesNotExist. */
export function queueOf(world: SqsWorld, url: string | undefined): Queue {
  const queue = world.queues.get(nameOfUrl(url ?? ''));
  if (queue === undefined || url?.split('/').at(-2) !== world.accountId) throw queueDoesNotExist();
  dropExpired(queue, world.clock.now());
  return queue;
}

/** Forgets messages whose retention is over, and deduplication ids that no longer count. */
function dropExpired(queue: Queue, now: number): void {
  for (const message of queue.messages.values()) {
    if (message.expiresAt <= now) removeMessage(queue, message);
  }
  for (const [key, { until }] of queue.deduplications) if (until <= now) queue.deduplications.delete(key);
  for (const [key, { until }] of queue.attempts) if (until <= now) queue.attempts.delete(key);
}

export function removeMessage(queue: Queue, message: StoredMessage): void {
  message.timer?.cancel();
  queue.messages.delete(message.messageId);
}
