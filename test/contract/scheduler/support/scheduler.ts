import { startOracle } from '@drover/cloud-sandbox/real/oracle.ts';
import { kubernetes, program, schedulerOracle } from '@drover/cloud-sandbox/real/programs.ts';
import * as fc from 'fast-check';
import type { Question, Verdict } from './question.ts';

/** The real scheduler of the version of this run. */
export interface Scheduler {
  /** One verdict for each pod that is asked about. */
  judge(question: Question): Promise<readonly Verdict[]>;
  stop(): Promise<void>;
}

export const world = `kube-scheduler ${kubernetes.version}`;

export function startScheduler(): Scheduler {
  const oracle = startOracle(program(schedulerOracle, 'scheduler-oracle'), []);
  return {
    judge: async (question) => {
      const answer = (await oracle.ask(question)) as { verdicts?: readonly Verdict[]; error?: string };
      if (answer.verdicts === undefined)
        throw new Error(`the scheduler gave no verdicts: ${answer.error} about ${JSON.stringify(question)}`);
      return answer.verdicts;
    },
    stop: () => oracle.stop(),
  };
}

/** How many clusters a run draws, and the seed of the draw: each commit draws others. */
export const clusters = Number(process.env['SCHEDULER_CLUSTERS'] ?? 1000);
export const seed = Number(process.env['SCHEDULER_SEED'] ?? 1);

/** As many clusters as the run draws, divided by a number for tests that ask much of each. */
export const draw = <T>(arbitrary: fc.Arbitrary<T>, dividedBy = 1): readonly T[] =>
  fc.sample(arbitrary, { numRuns: Math.max(1, Math.ceil(clusters / dividedBy)), seed });
