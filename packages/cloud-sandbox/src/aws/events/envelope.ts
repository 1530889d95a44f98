import type { AwsEvent, ServiceParts } from '../integration.ts';

/** An event as targets receive it: https://docs.aws.amazon.com/eventbridge/latest/ref/overview-event-structure.html */
export interface EventEnvelope {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[] | string;
  readonly detail: unknown;
}

/** Puts the envelope around an event; its time has whole seconds, as AWS services send it. */
export function envelope(
  parts: ServiceParts,
  event: Omit<AwsEvent, 'detail'> & { readonly detail: unknown; readonly at?: number },
): EventEnvelope {
  return {
    version: '0',
    id: parts.random.uuid(),
    'detail-type': event.detailType,
    source: event.source,
    account: parts.accountId,
    time: new Date(event.at ?? parts.clock.now()).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region: parts.region,
    resources: event.resources,
    detail: event.detail,
  };
}
