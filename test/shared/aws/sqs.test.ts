import type { SQSClient } from '@aws-sdk/client-sqs';
import { HttpResponse } from '@smithy/core/transport';
import { describe, expect, it } from 'vitest';
import { sqsClient } from '../../../shared/aws/clients.ts';
import { createSqsQueue } from '../../../shared/aws/sqs.ts';

/** A queue whose every call is answered with this. */
function queueAnswering(answer: unknown) {
  const body = Buffer.from(JSON.stringify(answer));
  return createSqsQueue({
    queueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/leaving.fifo',
    client: sqsClient({
      region: 'eu-west-1',
      credentials: () => ({ accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }),
      clock: { now: () => 0 },
      requestHandler: {
        handle: () =>
          Promise.resolve({
            response: new HttpResponse({ statusCode: 200, headers: { 'x-amzn-requestid': '1' }, body }),
          }),
      },
    }),
  });
}

const messages = [{ body: 'one' }, { body: 'two' }, { body: 'three' }];

describe('a batch that SQS accepted', () => {
  it('has no failures if each entry succeeded', async () => {
    const Successful = messages.map((_, index) => ({ Id: String(index) }));
    expect(await queueAnswering({ Successful }).send(messages)).toEqual([]);
  });

  it('has the failures that SQS names, each with its code', async () => {
    const { send } = queueAnswering({
      Successful: [{ Id: '0' }, { Id: '2' }],
      Failed: [{ Id: '1', Code: 'InternalError', Message: 'try again', SenderFault: false }],
    });
    const error = expect.objectContaining({ name: 'InternalError', message: 'try again' });
    expect(await send(messages)).toEqual([{ index: 1, error }]);
  });

  it.each([
    [{ Successful: [{ Id: '1' }] }, [0, 2]],
    [{ Successful: [{ Id: '0' }], Failed: [{ Id: '2', Code: 'InternalError' }] }, [2, 1]],
    [{}, [0, 1, 2]],
  ])('has failed for entries that an answer such as %j does not name', async (answer, indexes) => {
    const failures = await queueAnswering(answer).send(messages);
    expect(failures.map(({ index }) => index)).toEqual(indexes);
    expect(failures.at(-1)?.error.message).toMatch(/says nothing of this entry/);
    const changes = messages.map((_, index) => ({ receiptHandle: `r-${index}`, seconds: 5 }));
    const unchanged = await queueAnswering(answer).changeVisibility(changes);
    expect(unchanged.map(({ index }) => index)).toEqual(indexes);
  });
});

describe('twenty-five messages', () => {
  it('are sent in batches of ten, and a failure has the index of its message among all of them', async () => {
    const batches: string[][] = [];
    const send = async ({
      input,
    }: {
      input: { Entries: readonly { Id: string; MessageBody: string }[] };
    }) => {
      batches.push(input.Entries.map(({ MessageBody }) => MessageBody));
      const Successful = input.Entries.filter(({ MessageBody }) => MessageBody !== 'm-13');
      return { Successful };
    };
    const queue = createSqsQueue({ queueUrl: 'https://sqs/1/a', client: { send } as unknown as SQSClient });
    const failures = await queue.send(Array.from({ length: 25 }, (_, index) => ({ body: `m-${index}` })));
    expect(batches.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(batches.flat()).toEqual(Array.from({ length: 25 }, (_, index) => `m-${index}`));
    expect(failures.map(({ index }) => index)).toEqual([13]);
  });
});
