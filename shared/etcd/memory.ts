import type { Clock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';
import type { RecordChange, ZoneContent } from './zone.ts';

/** A change of Drover's that Route 53 is still propagating. */
export interface PendingChange {
  readonly changeId: string;
  /** The time in the mark that this change wrote; no other change has the same. */
  readonly changedAt: number;
}

/**
 * What a warm Lambda remembers of the zone. It saves calls and decides nothing: a change is a compare-and-swap, and losing the
 * memory only costs a read or a minute of waiting.
 */
export interface EtcdMemory {
  /** The zone as last read or changed, if that is recent enough. */
  zone(): ZoneContent | undefined;
  rememberZone(content: ZoneContent): void;
  forgetZone(): void;
  pendingChange(): PendingChange | undefined;
  /** Remembers a change and the content of the zone after it. */
  recordChange(change: PendingChange, content: ZoneContent): void;
  /** Route 53 has reported the pending change as in sync. */
  markInSync(): void;
  /** Forgets the pending change, because Route 53 cannot report on it. */
  forgetChange(): void;
  /** Whether this Lambda has seen the change in sync that wrote this time into the mark. */
  isInSync(changedAt: number): boolean;
  /**
   * Whether a hook was completed in the last minute. Not longer, because an instance that gets a new root volume waits on the same
   * hooks again. Completing a hook twice does no harm.
   */
  isDone(what: string): boolean;
  markDone(what: string): void;
}

const zoneTrustSeconds = 60;
const doneTrustSeconds = 60;
const maximumHooks = 1000;

export function createEtcdMemory(clock: Clock): EtcdMemory {
  let zone: { readonly content: ZoneContent; readonly at: number } | undefined;
  let pending: PendingChange | undefined;
  let inSync: number | undefined;
  const hooksDone = new Map<string, number>();
  return {
    zone: () =>
      zone && isRecent(zone.at, { now: clock.now(), seconds: zoneTrustSeconds }) ? zone.content : undefined,
    rememberZone: (content) => {
      zone = { content, at: clock.now() };
    },
    forgetZone: () => {
      zone = undefined;
    },
    pendingChange: () => pending,
    recordChange: (change, content) => {
      pending = change;
      zone = { content, at: clock.now() };
    },
    markInSync: () => {
      inSync = pending?.changedAt;
      pending = undefined;
    },
    forgetChange: () => {
      pending = undefined;
    },
    isInSync: (changedAt) => inSync === changedAt,
    isDone: (what) =>
      isRecent(hooksDone.get(what) ?? -Infinity, { now: clock.now(), seconds: doneTrustSeconds }),
    markDone: (what) => {
      if (hooksDone.size >= maximumHooks) hooksDone.clear();
      hooksDone.set(what, clock.now());
    },
  };
}

/** The content of a zone after a batch of changes. */
export function afterChanges(content: ZoneContent, changes: readonly RecordChange[]): ZoneContent {
  const deleted = new Set(
    changes.filter(({ action }) => action === 'delete').map(({ record }) => `${record.type} ${record.name}`),
  );
  return {
    ...content,
    records: [
      ...content.records.filter(({ type, name }) => !deleted.has(`${type} ${name}`)),
      ...changes.filter(({ action }) => action === 'create').map(({ record }) => record),
    ],
  };
}
