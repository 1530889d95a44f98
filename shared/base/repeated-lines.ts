import type { Clock } from './clock.ts';
import { isRecent } from './is-recent.ts';

/** How long a line that says nothing new is left out. */
export const repeatSeconds = 3600;

export interface RepeatedLines {
  /**
   * The keys whose lines are due in this run: new ones, and those whose last line is an hour old. A key that a run does not have is
   * forgotten, so that its return is new.
   */
  due(keys: readonly string[]): ReadonlySet<string>;
}

/**
 * Remembers which lines a function has written. A run every minute would otherwise write sixty lines an hour about a thing that waits for
 * an operator. The memory is that of one execution environment: a new one writes the line once more.
 */
export function createRepeatedLines(clock: Clock): RepeatedLines {
  let written = new Map<string, number>();
  return {
    due(keys) {
      const now = clock.now();
      const isNews = (key: string): boolean =>
        !isRecent(written.get(key) ?? -Infinity, { now, seconds: repeatSeconds });
      const due = new Set(keys.filter(isNews));
      written = new Map(keys.map((key) => [key, due.has(key) ? now : (written.get(key) ?? now)]));
      return due;
    },
  };
}
