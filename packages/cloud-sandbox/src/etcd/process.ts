import type { EtcdFlags, Exit } from './flags.ts';
import type { Quorum } from './quorum.ts';

/** An etcd that runs. */
export interface EtcdProcess {
  readonly flags: EtcdFlags & { readonly name: string };
  readonly memberId: string;
  readonly quorum: Quorum;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** When it has the log that there was as it started. */
  readonly caughtUpAt: number;
}

/** What an instance does with etcd; a process that `serves` has published its name, and answers clients from then on. */
export type ProcessState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly process: EtcdProcess; readonly serves: boolean }
  | { readonly kind: 'exited'; readonly exit: Exit }
  | { readonly kind: 'stopped' };
