import type { Problem } from '../../shared/problems/problem.ts';
import type { Finding } from './check.ts';

/** A finding with the name of its check. */
export interface CheckedFinding extends Omit<Finding, 'command'> {
  readonly check: string;
  readonly command: string | null;
}

/** The answer of `drover doctor --json`. */
export interface DoctorReport {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly clusterName: string;
  /** The number of findings whose verdict is `fix` or `unknown`. */
  readonly toFix: number;
  readonly findings: readonly CheckedFinding[];
  /** The list that `drover status` shows, in its order. Each one is also a finding of a check. */
  readonly problems: readonly Problem[];
}
