import * as z from 'zod/mini';
import { fieldOf, wordsOf } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import type { Envelope, Place } from './envelope.ts';
import { EventError, type EventMeaning } from './meaning.ts';

/** A meaning without the name of its event, which the registry adds. */
export type Meaning = EventMeaning extends infer One
  ? One extends EventMeaning
    ? Omit<One, 'what'>
    : never
  : never;

/** One kind of event: how to read what it carries. */
export type Kind = (input: {
  readonly detail: unknown;
  readonly envelope: Pick<Envelope, 'time'>;
  readonly place: Place;
}) => Meaning;

/** A kind with a schema of its detail, made for its first event: what does not fit is malformed, by the first field that is wrong. */
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

/** `under` is where the schema stands in the whole event, for the field's name. */
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
  'the event is parked in the dead-letter queue: find its sender; if that is AWS, tell the maintainers, then redrive it';

export const ignored = (reason: string): Meaning => ({ kind: 'ignored', reason });
