import 'vitest';

/** What a file of tests used, in its meta data. */
export interface FileCpu {
  readonly seconds: number;
  readonly calibrations: readonly number[];
}

declare module 'vitest' {
  interface TaskMeta {
    cpu?: FileCpu;
  }
}
