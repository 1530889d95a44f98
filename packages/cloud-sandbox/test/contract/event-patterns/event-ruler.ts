import { join } from 'node:path';
import { startOracle } from '../../../real/oracle.ts';
import { java } from '../../../real/programs.ts';
import type { PatternWorld } from './support.ts';

/** AWS's own engine of event patterns. */
export interface EventRuler extends PatternWorld {
  stop(): Promise<void>;
}

export const eventRulerName = 'event-ruler 1.7.3';

/** One Java process for all questions. */
export function startEventRuler(): EventRuler {
  const source = join(import.meta.dirname, '../../../real/java/MatchEvents.java');
  const oracle = startOracle('java', ['-cp', `${java.directory}/*`, source]);
  return {
    ask: async (pattern, events) => {
      const { matches } = (await oracle.ask({ pattern, events })) as {
        readonly matches?: readonly boolean[];
      };
      return matches ?? 'refused';
    },
    stop: () => oracle.stop(),
  };
}
