import type { ReportedError } from '../reported-error.ts';

/** What a worker needs to become a function's execution environment. */
export interface WorkerStart {
  /** The bundle: one CommonJS file. */
  readonly code: string;
  /** As it is called in stack traces. */
  readonly fileName: string;
  /** As it is configured: `index.handler`. */
  readonly handler: string;
  /** Where the function is in what the bundle exports. */
  readonly exportPath: readonly string[];
  readonly functionArn: string;
  readonly time: SimulatedTime;
}

/** Simulated time in a thread of its own: what it was at a moment of the machine's, and how fast it passes. */
export interface SimulatedTime {
  readonly simulatedAt: number;
  readonly realAt: number;
  /** 1: as fast as the machine's. */
  readonly speed: number;
}

export type ToWorker = {
  readonly requestId: string;
  readonly payload: string;
  readonly deadline: number;
  readonly traceHeader: string;
};

export type FromWorker =
  | { readonly kind: 'started' }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'answered'; readonly requestId: string; readonly json: string }
  /** Without a requestId: the module itself did not load. */
  | {
      readonly kind: 'failed';
      readonly requestId?: string;
      readonly error: ReportedError;
    };
