import { queueDoesNotExist } from './errors.ts';
import { type MessageState, stateOf } from './message.ts';
import type { Queue } from './queue.ts';
import { type SendEntry, sendMessage } from './send.ts';
import { listen, nameOfArn, type SqsWorld, urlOf } from './world.ts';

/** A message as a test or the dashboard sees it, without taking it. */
interface PeekedMessage {
  readonly messageId: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly state: MessageState;
  readonly visibleAt: number;
  readonly receiveCount: number;
}

/** What the rest of the simulation may do with queues besides calling SQS; queues are named by ARN or by name. */
export interface SqsControls {
  /** Everything in the queue, in order of sending; changes nothing. */
  peek(queue: string): readonly PeekedMessage[];
  queueNames(): readonly string[];
  queueUrl(queue: string): string;
  hasQueue(queue: string): boolean;
  /** The queue policy, as set; undefined without one, or without such a queue. */
  policy(queue: string): string | undefined;
  tags(queue: string): Readonly<Record<string, string>> | undefined;
  /** Whether the queue of this URL is FIFO and has no high throughput ("High throughput for FIFO queues", SQS developer guide). */
  isSlowFifo(queueUrl: string): boolean;
  /**
   * A service of AWS sends (EventBridge, SNS, Auto Scaling, a Lambda destination). Whether the queue policy lets it is
   * the caller's to ask. Throws AwsError as SendMessage does.
   */
  send(queue: string, entry: SendEntry & { readonly senderId?: string }): void;
  /**
   * Calls back whenever something of the queue may be receivable (sent, visible again, its group free), always from the
   * clock and never from within a call. Returns how to stop.
   */
  onVisible(queue: string, callback: () => void): () => void;
}

export function createControls(world: SqsWorld): SqsControls {
  const find = (queue: string): Queue => {
    const found = world.queues.get(nameOfArn(queue));
    if (found === undefined) throw queueDoesNotExist();
    return found;
  };
  return {
    peek: (queue) =>
      [...find(queue).messages.values()].map((message) => ({
        messageId: message.messageId,
        body: message.body,
        groupId: message.groupId,
        state: stateOf(message, world.clock.now()),
        visibleAt: message.visibleAt,
        receiveCount: message.receiveCount,
      })),
    queueNames: () => [...world.queues.keys()],
    queueUrl: (queue) => urlOf(world, find(queue)),
    hasQueue: (queue) => world.queues.has(nameOfArn(queue)),
    policy: (queue) => world.queues.get(nameOfArn(queue))?.attributes.get('Policy'),
    tags: (queue) => {
      const found = world.queues.get(nameOfArn(queue));
      return found === undefined ? undefined : Object.fromEntries(found.tags);
    },
    isSlowFifo: (queueUrl) => {
      const found = world.queues.get(queueUrl.split('/').at(-1) ?? '');
      if (found?.attributes.get('FifoQueue') !== 'true') return false;
      return found.attributes.get('FifoThroughputLimit') !== 'perMessageGroupId';
    },
    send: (queue, { senderId, ...entry }) => {
      sendMessage(world, find(queue), entry, senderId ?? 'AmazonServices');
    },
    onVisible: (queue, callback) => listen(world, find(queue).name, callback),
  };
}
