import { expect } from 'vitest';

/** An implementation of event patterns. */
export interface PatternWorld {
  /** For each event whether it matches, or that the pattern is none. */
  readonly ask: (pattern: string, events: readonly string[]) => Promise<readonly boolean[] | 'refused'>;
}

interface Examples {
  readonly pattern: unknown;
  /** Values of `detail` that match, and such as do not. */
  readonly matches?: readonly unknown[];
  readonly leavesOut?: readonly unknown[];
}

const eventWith = (detail: unknown): string => JSON.stringify({ source: 'aws.ec2', detail });

/** What a pattern of `detail` lets in. */
export const inDetail =
  ({ pattern, matches = [], leavesOut = [] }: Examples) =>
  async ({ ask }: PatternWorld): Promise<void> => {
    const asked = JSON.stringify({ detail: pattern });
    expect(await ask(asked, matches.map(eventWith))).toEqual(matches.map(() => true));
    expect(await ask(asked, leavesOut.map(eventWith))).toEqual(leavesOut.map(() => false));
  };

/** Patterns of `detail` that are none. */
export const refused =
  (...details: readonly unknown[]) =>
  async ({ ask }: PatternWorld): Promise<void> => {
    for (const detail of details)
      expect([detail, await ask(JSON.stringify({ detail }), [])]).toEqual([detail, 'refused']);
  };

/** A pattern of one field. */
export const matcher = (...asked: readonly unknown[]) => ({ a: asked });
