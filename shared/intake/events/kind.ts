import * as z from 'zod/mini';
import { instanceIdPattern } from '../../base/instance-id.ts';
import { fieldOf, wordsOf } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import { EventError, type EventMeaning, type Place } from './meaning.ts';
import type { Envelope } from './read-event.ts';

/** A meaning without `what`, which the reader of the envelope adds. */
export type Meaning = EventMeaning extends infer One
  ? One extends EventMeaning
    ? Omit<One, 'what'>
    : never
  : never;

/** Reads the detail of one kind of event. */
export type Kind = (input: {
  readonly detail: unknown;
  readonly envelope: Pick<Envelope, 'time'>;
  readonly place: Place;
}) => Meaning;

/**
 * A kind of event whose detail has this schema. A detail that does not match is malformed, and the first wrong field is named. The
 * schema is built when the first event arrives.
 */
export function kind<Schema extends z.ZodMiniType>(options: {
  readonly schema: () => Schema;
  readonly mean: (
    detail: z.output<Schema>,
    context: { readonly time: string; readonly place: Place },
  ) => Meaning;
}): Kind {
  const schema = lazily(options.schema);
  return ({ detail, envelope, place }) => {
    const result = z.safeParse(schema(), detail);
    if (!result.success) return malformed(result.error, 'detail');
    return options.mean(result.data, { time: envelope.time, place });
  };
}

/** `under` is the path of the schema in the whole event, for the name of the field. */
export function malformed(error: z.core.$ZodError, under?: string): Meaning {
  const issue = error.issues[0];
  const path = issue ? fieldOf(issue) : '(the whole)';
  const field = under === undefined ? path : path === '(the whole)' ? under : `${under}.${path}`;
  return notReadable(field, issue ? wordsOf(issue) : 'not as expected');
}

export const notReadable = (field: string, problem: string): Meaning => ({
  kind: 'malformed',
  error: new EventError({ field, problem, remedy }),
});

const remedy =
  'the event is parked in the dead-letter queue: find its sender; if that is AWS, report it to the maintainers, then redrive it';

export const ignored = (reason: string): Meaning => ({ kind: 'ignored', reason });

// Field types that several kinds share. The sizes are the limits of AWS, so that a hostile value is refused here.

export const instanceId = lazily(() => z.string().check(z.regex(instanceIdPattern)));

export const groupName = lazily(() => z.string().check(z.minLength(1), z.maxLength(255)));

export const hookName = lazily(() => z.string().check(z.minLength(1), z.maxLength(255)));

export const actionToken = lazily(() => z.string().check(z.minLength(1), z.maxLength(64)));

/** Origin and Destination, which older events do not have. A value that AWS has added since counts as absent. */
export const place = lazily(() =>
  z.pipe(
    z.string().check(z.maxLength(64)),
    z.transform((text: string) => places.find((known) => known === text)),
  ),
);

const places = ['EC2', 'AutoScalingGroup', 'WarmPool'] as const;

/** A time of the envelope, with or without milliseconds, normalized to ISO 8601 in UTC. */
export const time = lazily(() =>
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((text: string) => new Date(Date.parse(text)).toISOString()),
  ),
);
