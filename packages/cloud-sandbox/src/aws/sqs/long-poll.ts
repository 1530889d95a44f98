import type { Message, ReceiveMessageCommandInput } from '@aws-sdk/client-sqs';
import { type Queue, secondsAttribute } from './queue.ts';
import { receiveNow } from './receive.ts';
import { listen, type SqsWorld } from './world.ts';

/**
 * Receives messages. If there are none and the world has long polling, waits on the clock until one comes or the time is over.
 * A caller that hangs up meanwhile is not noticed: a message that comes then is in flight until its visibility timeout ends.
 */
export function receive(
  world: SqsWorld,
  queue: Queue,
  input: ReceiveMessageCommandInput,
): Message[] | Promise<Message[]> {
  const messages = receiveNow(world, queue, input);
  const waitSeconds = input.WaitTimeSeconds ?? secondsAttribute(queue, 'ReceiveMessageWaitTimeSeconds');
  if (messages.length > 0 || waitSeconds === 0 || world.longPolling !== true) return messages;
  return new Promise((resolve) => {
    const finish = (received: Message[]): void => {
      stop();
      timer.cancel();
      resolve(received);
    };
    const stop = listen(world, queue.name, () => {
      const received = receiveNow(world, queue, input);
      if (received.length > 0) finish(received);
    });
    const timer = world.clock.after(waitSeconds * 1000, () => finish([]));
  });
}
