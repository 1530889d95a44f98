/** A text that may keep a refused wording, because other people wrote it or a machine reads it. */
interface Allowance {
  readonly file: string;
  /** As in the file. */
  readonly text: string;
}

/** For quotations of upstream texts and for values that machines read. What we write ourselves is rewritten instead. */
export const allowances: readonly Allowance[] = [];
