import { createPassLog } from '../dashboard/pass-log.ts';
import type { Recent } from '../dashboard/state/dashboard-state.ts';
import type { Line } from '../story/line.ts';

/** The last events and log lines, for the dashboard. */
export interface Memory {
  line(line: Line): void;
  /** A line of a function's log. */
  log(text: string): void;
  readonly recent: () => Recent;
}

const remembered = 30;

export function createMemory(): Memory {
  const passes = createPassLog();
  let news: readonly Line[] = [];
  return {
    line: (line) => {
      news = [line, ...news.slice(0, remembered - 1)];
    },
    log: passes.write,
    recent: () => ({ passes: passes.latest(), news }),
  };
}
