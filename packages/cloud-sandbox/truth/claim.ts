/** What one test says of one behaviour in one world: a cell of the table in docs/truth.md. */
export interface Claim {
  /** The chapter: `Route 53`. */
  readonly area: string;
  /** The row, a sentence: `a batch is done as a whole or not at all`. Absent: the name of the test. */
  readonly behaviour?: string;
  /** The column: `sandbox`, `MiniStack 1.5.33`. */
  readonly world: string;
  /** What this world does instead: the test is expected to fail there, and the difference is known. */
  readonly differs?: string;
  /** Why the behaviour cannot be seen there: nothing is run. */
  readonly notApplicable?: string;
}

export type Verdict = 'pass' | 'fail' | 'differs' | 'not applicable';

export interface Finding {
  readonly area: string;
  readonly behaviour: string;
  readonly world: string;
  readonly verdict: Verdict;
  /** The file of tests that found it. */
  readonly file: string;
  /** Of what differs or does not apply. */
  readonly why?: string;
}

/** What one file of tests found. Where tests were left out it says nothing of rows that it does not have. */
export interface FileFindings {
  readonly file: string;
  readonly isWhole: boolean;
  readonly findings: readonly Finding[];
}

declare module 'vitest' {
  interface TaskMeta {
    claim?: Claim;
  }
}
