import { EventBridgeClient, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { putEvent } from '../../../shared/aws/event-bus.ts';
import { eventOf } from '../../../shared/lifecycle/notifications/event.ts';

const event = eventOf(
  { kind: 'node-gone', occurrence: 'uid', message: 'node a has left', facts: { nodeName: 'a' } },
  { clusterName: 'prod', now: Date.parse('2026-11-24T10:00:00Z') },
);

/** Puts the event into an EventBridge that answers so; gives the body that it got. */
async function putInto(answer: { Entries?: readonly PutEventsResultEntry[]; status?: number }) {
  const bodies: string[] = [];
  const { status: statusCode = 200, ...body } = answer;
  const client = new EventBridgeClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'ASIATEST', secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: {
      handle: async (request: { readonly body?: unknown }) => {
        bodies.push(String(request.body));
        const headers = { 'content-type': 'application/x-amz-json-1.1' };
        return { response: { statusCode, headers, body: new TextEncoder().encode(JSON.stringify(body)) } };
      },
    },
  });
  await putEvent(client, event);
  return JSON.parse(bodies[0] ?? '{}') as unknown;
}

describe('an event', () => {
  it('goes to the default bus with its source, detail-type, time and detail', async () => {
    expect(await putInto({ Entries: [{ EventId: '1' }] })).toEqual({
      Entries: [
        {
          Source: 'drover',
          DetailType: 'Drover Node Gone',
          Time: 1_795_514_400,
          Detail: JSON.stringify(event.detail),
        },
      ],
    });
  });

  it.each([
    ['names a failure of the entry', { Entries: [{ ErrorCode: 'InternalFailure', ErrorMessage: 'again' }] }],
    ['has an id and a failure', { Entries: [{ EventId: '1', ErrorCode: 'ThrottlingException' }] }],
    ['says nothing of the entry', { Entries: [{}] }],
    ['has no entry', { Entries: [] }],
    ['has no entries', {}],
  ])('is not taken where the answer %s', async (_, answer) => {
    await expect(putInto(answer)).rejects.toThrow(/did not take the event prod\/node-gone\/uid/);
  });

  it('is not taken where the call fails', async () => {
    await expect(putInto({ status: 400 })).rejects.toThrow();
  });
});
