import { HttpResponse } from '@smithy/core/transport';
import type { AwsHttpRequest, AwsHttpResponse } from '../../../shared/aws/connection.ts';
import type { Sabotage } from '../../support/lifetimes/lifetime.ts';
import type { PlantedBug } from './planted-bug.ts';
import { bodyOf, onHost, targetOf, withSendAws } from './sabotage.ts';

/** Bugs of notifications. */
export const plantedNotifications: readonly PlantedBug[] = [
  {
    name: 'no event reports that a node leaves',
    foundBy: ['leaving-is-notified'],
    foundIn: [1],
    sabotage: neverNotified('node-leaving'),
  },
  {
    name: 'no event reports that pods are deleted past their budgets',
    foundBy: ['forced-is-notified'],
    foundIn: [1],
    sabotage: neverNotified('drain-forced'),
  },
  {
    name: 'no event reports that a node is gone',
    foundBy: ['gone-is-notified'],
    foundIn: [1],
    sabotage: neverNotified('node-gone'),
  },
];

/** Events of this kind are lost in the function itself, which takes them for sent: it reports failures, and these excuse it. */
function neverNotified(kind: string): Sabotage {
  return onHost(['node-leaving'], (host) =>
    withSendAws(host, async (request, send) => {
      if (!targetOf(request).endsWith('PutEvents') || !bodyOf(request).includes(`/${kind}/`))
        return await send(request);
      return sentNothing(request);
    }),
  );
}

/** What EventBridge answers if it takes each event of the request. */
function sentNothing(request: AwsHttpRequest): AwsHttpResponse {
  const { Entries } = JSON.parse(bodyOf(request)) as { readonly Entries: readonly unknown[] };
  return new HttpResponse({
    statusCode: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'none' },
    body: Buffer.from(
      JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'none' })) }),
    ),
  });
}
