import { join } from 'node:path';
import { java } from '../../worlds/real/programs.ts';
import type { PatternWorld } from '../event-patterns/support.ts';
import { startOracle } from './oracle.ts';

/** AWS's own engine of event patterns. */
export interface EventRuler extends PatternWorld {
  stop(): Promise<void>;
}

export const eventRulerName = 'event-ruler 1.7.3';

/** One Java process for all questions. */
export function startEventRuler(): EventRuler {
  const source = join(import.meta.dirname, '..', '..', 'worlds', 'real', 'java', 'MatchEvents.java');
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
