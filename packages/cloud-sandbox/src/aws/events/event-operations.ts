import type {
  ListTagsForResourceRequest,
  PutEventsRequest,
  PutEventsRequestEntry,
  PutEventsResultEntry,
  TestEventPatternRequest,
} from '@aws-sdk/client-eventbridge';
import { dispatch } from './dispatch.ts';
import { envelope } from './envelope.ts';
import { eventsErrors } from './errors.ts';
import { isRecord, type JsonRecord, parseJson } from './json.ts';
import { compilePattern } from './pattern.ts';
import { checkBus, type EventsWorld } from './rules.ts';

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const maximumEntries = 10;

export const eventOperations = (world: EventsWorld) => ({
  PutEvents: (input: PutEventsRequest) => {
    const entries = input.Entries ?? [];
    if (entries.length === 0 || entries.length > maximumEntries) {
      throw eventsErrors.validation(
        `Entries must have 1 to ${maximumEntries} members, but has ${entries.length}.`,
      );
    }
    const results = entries.map((entry) => putEvent(world, entry));
    return {
      FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode !== undefined).length,
      Entries: results,
    };
  },
  TestEventPattern: (input: TestEventPatternRequest) => {
    const event = parseJson(input.Event ?? '');
    if (!isRecord(event)) throw eventsErrors.validation('Parameter Event is not valid.');
    return { Result: compilePattern(input.EventPattern ?? '')(event) };
  },
  ListTagsForResource: ({ ResourceARN }: ListTagsForResourceRequest) => {
    const rule = [...world.rules.values()].find(({ arn }) => arn === ResourceARN);
    return { Tags: [...(rule?.tags ?? [])].map(([Key, Value]) => ({ Key, Value })) };
  },
});

function putEvent(world: EventsWorld, entry: PutEventsRequestEntry): PutEventsResultEntry {
  checkBus(world, entry.EventBusName);
  const { Source: source, DetailType: detailType } = entry;
  if (source === undefined || detailType === undefined || entry.Detail === undefined) {
    return {
      ErrorCode: 'InvalidArgument',
      ErrorMessage: 'Parameters Source, DetailType and Detail are required.',
    };
  }
  if (source.startsWith('aws.')) {
    return {
      ErrorCode: 'NotAuthorizedForSourceException',
      ErrorMessage: `Not authorized for the source '${source}'.`,
    };
  }
  const detail = parseJson(entry.Detail);
  if (!isRecord(detail)) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  const event = eventFrom(world, { ...entry, source, detailType, detail });
  dispatch(world, event);
  return { EventId: event.id };
}

function eventFrom(
  world: EventsWorld,
  entry: { source: string; detailType: string; detail: JsonRecord; Resources?: string[]; Time?: Date },
) {
  return envelope(world, {
    source: entry.source,
    detailType: entry.detailType,
    resources: entry.Resources ?? [],
    detail: entry.detail,
    ...(entry.Time === undefined ? {} : { at: entry.Time.getTime() }),
  });
}
