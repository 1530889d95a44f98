import { EventBridgeClient, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { eventBus } from '../../../shared/aws/event-bus.ts';
import { eventOf } from '../../../shared/notifications/notification.ts';
import { bodyText } from '../../support/body-text.ts';

const gone = (occurrence: string) =>
  eventOf(
    { kind: 'node-gone', occurrence, message: 'node a has left', facts: { nodeName: 'a' } },
    { clusterName: 'prod', now: Date.parse('2026-11-24T10:00:00Z') },
  );
const event = gone('uid');

interface Answer {
  readonly Entries?: readonly PutEventsResultEntry[];
  readonly status?: number;
}

/** A bus on an EventBridge that answers so, the last answer again and again, and the bodies of its requests. */
function busThat(...answers: readonly Answer[]) {
  const bodies: string[] = [];
  const client = new EventBridgeClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'ASIATEST', secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: {
      handle: async (request: { readonly body?: unknown }) => {
        const { status: statusCode = 200, ...body } = answers[bodies.length] ?? answers.at(-1) ?? {};
        bodies.push(bodyText(request.body));
        const headers = { 'content-type': 'application/x-amz-json-1.1' };
        return { response: { statusCode, headers, body: new TextEncoder().encode(JSON.stringify(body)) } };
      },
    },
  });
  return { put: eventBus(client), bodies };
}

/** Puts the event into an EventBridge that answers so; gives the body that it got. */
async function putInto(answer: Answer) {
  const { put, bodies } = busThat(answer);
  await put(event);
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

  it.each([
    ['InvalidArgument', true],
    ['MalformedDetail', true],
    ['RedactionFailure', true],
    ['ThrottlingException', false],
    ['InternalFailure', true],
    ['NotAuthorizedForSourceException', false],
    [undefined, false],
  ])('is refused for itself by %s: %s', async (ErrorCode, isOfThisEvent) => {
    const answer = putInto({ Entries: [ErrorCode === undefined ? {} : { ErrorCode }] });
    await expect(answer).rejects.toMatchObject({ isOfThisEvent });
  });

  it('shares a call with nine others of the same moment, and fails without failing them', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => String(index));
    const { put, bodies } = busThat({
      Entries: ids
        .slice(0, 10)
        .map((id) => (id === '1' ? { ErrorCode: 'MalformedDetail' } : { EventId: id })),
    });
    const ended = await Promise.allSettled(ids.map((id) => put(gone(id))));
    const failed = ended.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    expect(
      bodies.map((body) => (JSON.parse(body) as { Entries: readonly unknown[] }).Entries.length),
    ).toEqual([10, 2]);
    expect(failed).toEqual([1, 11]);
  });

  it('is put once more if EventBridge failed internally', async () => {
    const failure: Answer = { Entries: [{ ErrorCode: 'InternalFailure' }] };
    const { put, bodies } = busThat(failure, { Entries: [{ EventId: '1' }] });
    await put(event);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    const failing = busThat(failure);
    await expect(failing.put(event)).rejects.toThrow('InternalFailure');
    expect(failing.bodies).toHaveLength(2);
  });

  it.each(['ThrottlingException', 'MalformedDetail'])('is not put again after %s', async (ErrorCode) => {
    const { put, bodies } = busThat({ Entries: [{ ErrorCode }] });
    await expect(put(event)).rejects.toThrow(ErrorCode);
    expect(bodies).toHaveLength(1);
  });

  it('is not taken where the call fails', async () => {
    await expect(putInto({ status: 400 })).rejects.toThrow();
  });
});
