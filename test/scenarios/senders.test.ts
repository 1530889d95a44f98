import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../local/world/drover-world.ts';
import { withSender } from '../support/wiring.ts';

const queues = [
  'InboxQueue',
  'InboxDeadLetterQueue',
  'LeavingQueue.fifo',
  'LeavingDeadLetterQueue.fifo',
  'EtcdQueue.fifo',
  'EtcdDeadLetterQueue.fifo',
  'UndeliveredQueue',
] as const;

/** Sends to a queue as a role of the account whose own policies allow everything. */
async function sendAs(world: DroverWorld, roleName: string, queue: string): Promise<string> {
  const { account, doors } = world;
  const { arn } = account.iam.putRole({
    roleName,
    policies: [{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }] }],
    trustPolicy: { Statement: [] },
  });
  const {
    accessKeyId,
    secretAccessKey,
    sessionToken = '',
  } = account.iam.issueCredentials({
    roleArn: arn,
    sessionName: 'session',
    durationSeconds: 3600,
  });
  const client = new SQSClient({
    region: account.region,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    requestHandler: doors('cli').awsRequestHandler,
    maxAttempts: 1,
  });
  const QueueUrl = account.sqs.controls.queueUrl(
    account.sqs.controls.queueNames().find((name) => name.endsWith(`-${queue}`)) ?? '',
  );
  const ordered = queue.endsWith('.fifo') && { MessageGroupId: 'g', MessageDeduplicationId: 'd' };
  try {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}', ...ordered }));
    return 'sent';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a role of the account whose own policies allow it to send to every queue', () => {
  it.each(queues)('is denied by the policy of %s', async (queue) => {
    const world = createDroverWorld();
    expect(await sendAs(world, 'pipeline', queue)).toMatch(
      /sqs:SendMessage.* with an explicit deny in a resource-based policy/i,
    );
  });

  it.each(queues)('may send to %s if it is the named operator role', async (queue) => {
    const operatorRole = 'arn:aws:iam::123456789012:role/aws-reserved/operator-*';
    const world = createDroverWorld({ editWiring: withSender(operatorRole) });
    expect(await sendAs(world, 'aws-reserved/operator-eu', queue)).toBe('sent');
  });
});
