import { sqsEvent } from '@drover/cloud-sandbox/lambda';
import type { SQSEvent } from 'aws-lambda';
import type { DroverWorld } from '../../local/world/drover-world.ts';
import { leavingMessage } from '../../shared/passes/leaving-message.ts';

/** The queue of leaving nodes of a simulated cloud, used by hand: the poller of the simulated Lambda has been stopped. */
export function leavingQueue({ account, wiring, lambda, clock }: DroverWorld) {
  const { functionArn } = lambda.functionOf('node-leaving');
  const mapping = wiring.eventSourceMappings.find((one) => one.functionArn === functionArn);
  const queueArn = mapping?.eventSourceArn ?? '';
  const { controls, operations } = account.sqs;
  const now = (): string => new Date(clock.now()).toISOString();
  return {
    /** What intake sends when an instance begins to wait. */
    send: (instanceId: string): void => {
      const { body } = leavingMessage({ cause: 'terminating', instanceId, noticedAt: now() }, now());
      controls.send(queueArn, {
        MessageBody: body,
        MessageGroupId: instanceId,
        MessageDeduplicationId: instanceId,
      });
    },
    /** The event that Lambda makes of what is visible now. */
    receive: async (): Promise<SQSEvent> => {
      const { Messages = [] } = await operations.ReceiveMessage({
        QueueUrl: controls.queueUrl(queueArn),
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      });
      return sqsEvent(Messages, queueArn);
    },
  };
}
