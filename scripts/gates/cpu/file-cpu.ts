import 'vitest';

/** What a file of tests used, in its meta data. */
export interface FileCpu {
  /** From the first hook of the file to its last. */
  readonly seconds: number;
  /** Before that: its imports, of which the first file of a worker bears those that many share. */
  readonly loadSeconds: number;
  readonly calibrations: readonly number[];
}

declare module 'vitest' {
  interface TaskMeta {
    cpu?: FileCpu;
  }
}
