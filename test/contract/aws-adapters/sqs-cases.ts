import { bodies } from '@drover/cloud-sandbox/test/aws/support/queue-fixture.ts';
import { openQueue } from '@drover/cloud-sandbox/test/contract/sqs/world.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { sqsClient } from '../../../shared/aws/clients.ts';
import { createSqsQueue } from '../../../shared/aws/sqs.ts';
import type { AwsWorld } from './world.ts';

/** A new queue, by a plain client and as Drover reaches it. */
async function open({ sqs, connection, pass }: AwsWorld) {
  const plain = await openQueue({ client: sqs, pass });
  return { plain, queue: createSqsQueue({ client: sqsClient(connection), queueUrl: plain.url }) };
}

/** What Drover asks of SQS. */
export const sqsCases: Cases<AwsWorld> = {
  'Drover sends several batches, and each message arrives with its attributes': async (world) => {
    const { plain, queue } = await open(world);
    const messages = Array.from({ length: 12 }, (_, index) => ({
      body: `m${index}`,
      attributes: { reason: `r${index}` },
    }));
    expect(await queue.send(messages)).toEqual([]);
    const found = new Map<string | undefined, string | undefined>();
    for (let reads = 0; reads < 10 && found.size < 12; reads += 1)
      for (const { Body, MessageAttributes } of await plain.receive())
        found.set(Body, MessageAttributes?.['reason']?.StringValue);
    expect(found).toEqual(new Map(messages.map(({ body, attributes }) => [body, attributes.reason])));
  },
  'Drover hides several messages, and gets a failure for an invalid handle': async (world) => {
    const { plain, queue } = await open(world);
    await plain.send('x');
    const [message] = await plain.receive();
    const failures = await queue.changeVisibility([
      { receiptHandle: 'made-up', seconds: 10 },
      { receiptHandle: message?.ReceiptHandle ?? '', seconds: 0 },
    ]);
    expect(failures).toMatchObject([{ index: 0, error: { name: 'ReceiptHandleIsInvalid' } }]);
    expect(bodies(await plain.receive())).toEqual(['x']);
  },
};
