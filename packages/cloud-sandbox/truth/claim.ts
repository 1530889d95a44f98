/** What one test claims about one behaviour in one world: a cell of the table in docs/truth.md. */
export interface Claim {
  /** The chapter: `Route 53`. */
  readonly area: string;
  /** The row, a sentence: `a batch is done as a whole or not at all`. Defaults to the name of the test. */
  readonly behaviour?: string;
  /** The column: `sandbox`, `MiniStack 1.5.33`. */
  readonly world: string;
  /** What this world does instead: the test is expected to fail there, and the difference is known. */
  readonly differs?: string;
  /** Why the behaviour cannot be tested there; the test does nothing. */
  readonly notApplicable?: string;
}

export type Verdict = 'pass' | 'fail' | 'differs' | 'not applicable';

export interface Finding {
  readonly area: string;
  readonly behaviour: string;
  readonly world: string;
  readonly verdict: Verdict;
  /** The test file. */
  readonly file: string;
  /** The reason, if the verdict is `differs` or `not applicable`. */
  readonly why?: string;
}

/** What one test file found. If tests were left out (`isWhole` is false), missing rows keep their last finding. */
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
