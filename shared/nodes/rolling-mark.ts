import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { rollingAnnotation } from './node-keys.ts';

/** What the annotation `drover.dev/rolling` of a Node says: a roll has cordoned it and is about to terminate its instance. */
export interface RollingMark {
  /** The name of the roll. */
  readonly roll: string;
  /** The time of the mark: ISO 8601 in UTC. */
  readonly at: string;
  /** Whether the drain waits for the replacement; false for a node of `--max-unavailable`. */
  readonly waits: boolean;
  /** Whether the Node had been cordoned before: then it stays cordoned if the roll releases it. */
  readonly wasCordoned: boolean;
  /** Until when the roll honours annotations of pods against disruption: ISO 8601 in UTC. Undefined if only their own terms end them. */
  readonly annotationsUntil?: string;
}

const schema = lazily(() =>
  z.object({
    roll: z.string().check(z.minLength(1), z.maxLength(64)),
    at: z.iso.datetime(),
    waits: z.boolean(),
    wasCordoned: z.boolean(),
    annotationsUntil: z.optional(z.iso.datetime()),
  }),
);

/** The mark of a Node with these annotations; `unreadable` for a text that Drover does not write; undefined without one. */
export function readRollingMark(
  annotations: Readonly<Record<string, string>> | undefined,
): RollingMark | 'unreadable' | undefined {
  const text = annotations?.[rollingAnnotation];
  if (text === undefined) return undefined;
  const parsed = schema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : 'unreadable';
}

/** The value of the annotation. */
export const formatRollingMark = (mark: RollingMark): string => JSON.stringify(mark);
