import type { FoundProblem } from '../../shared/problems/problem.ts';
import type { DoctorContext } from './doctor-context.ts';

/**
 * - `ok`: as it should be;
 * - `advice`: it works, and something would make it safer;
 * - `fix`: something must be fixed;
 * - `unknown`: it could not be read.
 */
export type Verdict = 'ok' | 'advice' | 'fix' | 'unknown';

/** What a check found about one thing. */
export interface Finding {
  readonly verdict: Verdict;
  /** A group, queue, rule, parameter, Node or right, by name. */
  readonly subject: string;
  readonly message: string;
  /** The command that fixes it, ready to copy; capitals are placeholders for values that only you know. */
  readonly command?: string;
}

/** One thing that `drover doctor` looks at: a file in `checks`, and a line in `checks.ts`. */
export interface Check {
  readonly name: string;
  /** Rejects if it cannot be read. */
  readonly look: (context: DoctorContext) => Promise<readonly Finding[]>;
}

/** A check of a read and a pure judgement. */
export const checkOf = <Observation>(check: {
  readonly name: string;
  readonly read: (context: DoctorContext) => Promise<Observation>;
  readonly judge: (observation: Observation) => readonly Finding[];
}): Check => ({
  name: check.name,
  look: async (context) => check.judge(await check.read(context)),
});

/** A problem of the list that `drover status` shows too. */
export const findingOf = ({
  subject,
  message,
  command,
}: Pick<FoundProblem, 'subject' | 'message' | 'command'>): Finding => ({
  verdict: 'fix',
  subject,
  message,
  ...(command !== undefined && { command }),
});
