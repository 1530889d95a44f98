import type { SqsControls } from '@drover/cloud-sandbox/aws';
import type { QueueView } from '../../../ui/state/types.ts';

/** Every queue with what is in it; dead-letter queues are recognized by the redrive policies of other queues, not by their own names. */
export function queueViews(
  controls: Pick<SqsControls, 'queueNames' | 'peek'>,
  deadLetterQueueNames: ReadonlySet<string>,
): readonly QueueView[] {
  return controls.queueNames().map((queueName) => {
    const messages = controls.peek(queueName);
    const count = (wanted: string): number => messages.filter(({ state }) => state === wanted).length;
    return {
      queueName,
      deadLetters: deadLetterQueueNames.has(queueName),
      visible: count('visible'),
      inFlight: count('in-flight'),
      delayed: count('delayed'),
    };
  });
}
