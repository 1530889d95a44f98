import type { DroverWorld } from '../../local/world/drover-world.ts';
import type { NotificationDetail } from '../../shared/notifications/notification.ts';

export interface ReceivedEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: NotificationDetail;
}

/** Sends Drover's own events to a queue, as a rule of an operator does. Gives all that have come by now. */
export function listenForPeople({ account }: Pick<DroverWorld, 'account'>): () => readonly ReceivedEvent[] {
  const { sqs, events, region, accountId } = account;
  const arn = `arn:aws:sqs:${region}:${accountId}:people`;
  const { QueueUrl } = sqs.operations.CreateQueue({ QueueName: 'people' });
  const Policy = JSON.stringify({
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: arn,
      },
    ],
  });
  sqs.operations.SetQueueAttributes({ QueueUrl, Attributes: { Policy } });
  events.operations.PutRule({ Name: 'people', EventPattern: JSON.stringify({ source: ['drover'] }) });
  events.operations.PutTargets({ Rule: 'people', Targets: [{ Id: 'people', Arn: arn }] });
  return () => sqs.controls.peek('people').map(({ body }) => JSON.parse(body) as ReceivedEvent);
}
