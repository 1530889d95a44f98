import type { DoctorContext } from './doctor-context.ts';

/**
 * - `ok`: as it should be;
 * - `advice`: it works, and something would make it safer;
 * - `mend`: something must be mended;
 * - `unknown`: it could not be read, so that nothing is known.
 */
export type Verdict = 'ok' | 'advice' | 'mend' | 'unknown';

/** What a check found about one thing. */
export interface Finding {
  readonly verdict: Verdict;
  /** A group, queue, rule, parameter, Node or right, by name. */
  readonly subject: string;
  readonly message: string;
  /** The command that mends it, ready to copy; capitals stand for what only a person knows. */
  readonly command?: string;
}

/** One thing that `drover doctor` looks at: a file in `checks`, and a line in `checks.ts`. */
export interface Check {
  readonly name: string;
  /** Rejects where it cannot be read. */
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
