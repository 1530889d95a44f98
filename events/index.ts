import { readdirSync, readFileSync } from 'node:fs';
import type { EventMeaning } from '../shared/intake/events/meaning.ts';
import { readEventText } from '../shared/intake/events/read-event.ts';

/** The region of the sample events. */
export const samplePlace = { accountId: '123456789012', region: 'eu-west-1' } as const;

/** Every payload of this folder by name, and the kind that the production parser reads. */
export const samples = {
  'terminate-action': 'leaving',
  'terminate-action-without-places': 'leaving',
  'terminate-action-to-warm-pool': 'leaving',
  'terminate-action-from-warm-pool': 'leaving',
  'terminate-action-to-an-unknown-place': 'leaving',
  'terminate-action-to-replace-root-volume': 'leaving',
  'terminate-action-of-another-hook': 'leaving',
  'terminate-action-of-a-foreign-group': 'leaving',
  'launch-action': 'joining',
  'launch-action-without-places': 'joining',
  'launch-action-into-warm-pool': 'joining',
  'launch-action-from-warm-pool': 'joining',
  'launch-action-with-new-root-volume': 'joining',
  'launch-successful': 'ignored',
  'launch-unsuccessful': 'ignored',
  'terminate-successful': 'ignored',
  'terminate-unsuccessful': 'ignored',
  'spot-interruption-terminate': 'leaving',
  'spot-interruption-stop': 'leaving',
  'spot-interruption-hibernate': 'leaving',
  'spot-interruption-unknown-action': 'leaving',
  'rebalance-recommendation': 'leaving',
  'state-change-pending': 'ignored',
  'state-change-running': 'ignored',
  'state-change-stopping': 'ignored',
  'state-change-stopped': 'ignored',
  'state-change-shutting-down': 'ignored',
  'state-change-terminated': 'leaving',
  'capacity-reservation-interruption': 'leaving',
  'capacity-reservation-interruption-bare-resource': 'leaving',
  'health-retirement': 'leaving',
  'health-many-instances': 'leaving',
  'health-page-1-of-2': 'leaving',
  'health-page-2-of-2': 'leaving',
  'health-other-region': 'ignored',
  'health-backup-copy': 'leaving',
  'health-volumes-and-instance-arns': 'leaving',
  'health-of-another-service': 'ignored',
  'health-closed': 'leaving',
  'health-notice-without-change': 'ignored',
  'hook-terminate': 'leaving',
  'hook-terminate-without-places': 'leaving',
  'hook-terminate-to-warm-pool': 'leaving',
  'hook-launch': 'joining',
  'hook-test': 'ignored',
  'sns-hook-terminate': 'leaving',
  'sns-hook-test': 'ignored',
  'sns-event': 'leaving',
  'unknown-source': 'unknown',
  'unknown-detail-type': 'unknown',
  'unknown-object': 'unknown',
} as const satisfies Readonly<Record<string, EventMeaning['kind']>>;

export type SampleName = keyof typeof samples;

/** The text of a payload. */
export const sampleText = (name: SampleName): string => textOf(`${name}.json`);

/** A payload as the production parser reads it, of the kind that `samples` promises. */
export function readSample<Name extends SampleName>(
  name: Name,
): Extract<EventMeaning, { kind: (typeof samples)[Name] }> {
  const meaning = readEventText(sampleText(name), samplePlace);
  if (isOfKind(meaning, samples[name])) return meaning;
  throw new TypeError(`events/${name}.json reads as ${meaning.kind}, not as ${samples[name]}`);
}

const isOfKind = <Kind extends EventMeaning['kind']>(
  meaning: EventMeaning,
  kind: Kind,
): meaning is Extract<EventMeaning, { kind: Kind }> => meaning.kind === kind;

/** Malformed and hostile payloads by file name. */
export const badSamples = (): ReadonlyMap<string, string> =>
  new Map(readdirSync(folder('bad')).map((file) => [file, textOf(`bad/${file}`)]));

/** Whole invocations, as Lambda receives them. */
export type BatchName =
  | 'inbox-terminate'
  | 'inbox-mixed'
  | 'leaving-terminate'
  | 'leaving-two-reasons-and-another-instance'
  | 'topic-hook-terminate';

export const readBatchSample = (name: BatchName): unknown => JSON.parse(textOf(`batches/${name}.json`));

const folder = (path: string): URL => new URL(path, import.meta.url);

const textOf = (path: string): string => readFileSync(folder(path), 'utf8');
