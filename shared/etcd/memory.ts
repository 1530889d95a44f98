import type { Clock } from '../base/clock.ts';
import type { RecordChange, ZoneContent } from './zone.ts';

/** A change of ours that Route 53 is still bringing to its name servers. */
export interface PendingChange {
  readonly changeId: string;
}

/**
 * What a warm Lambda still knows of the zone. It saves calls and decides nothing: a change is a compare-and-swap, and
 * forgetting all of it only costs a read, a heartbeat or a minute of waiting.
 */
export interface EtcdMemory {
  /** The zone as it was read or left, if that is not too long ago. */
  zone(): ZoneContent | undefined;
  rememberZone(content: ZoneContent): void;
  forgetZone(): void;
  pendingChange(): PendingChange | undefined;
  /** A change that was made: the zone is as it leaves it, and in sync once Route 53 says so. */
  changed(change: PendingChange, content: ZoneContent): void;
  inSync(): void;
  /** Whether the change that stands now was seen in sync by this Lambda. */
  sawSync(): boolean;
  /** Epoch milliseconds of the last heartbeat for an instance. */
  lastBeatAt(instanceId: string): number | undefined;
  beat(instanceId: string): void;
  /** Whether something was said already: a state published, a hook completed. */
  wasDone(what: string): boolean;
  done(what: string): void;
}

const secondsToTrustTheZone = 60;
const thingsToRemember = 1000;

export function createEtcdMemory(clock: Clock): EtcdMemory {
  let zone: { readonly content: ZoneContent; readonly at: number } | undefined;
  let pending: PendingChange | undefined;
  let synced = false;
  const beats = new Map<string, number>();
  const things = new Set<string>();
  return {
    zone: () => (zone && clock.now() - zone.at < secondsToTrustTheZone * 1000 ? zone.content : undefined),
    rememberZone: (content) => {
      zone = { content, at: clock.now() };
    },
    forgetZone: () => {
      zone = undefined;
    },
    pendingChange: () => pending,
    changed: (change, content) => {
      pending = change;
      synced = false;
      zone = { content, at: clock.now() };
    },
    inSync: () => {
      pending = undefined;
      synced = true;
    },
    sawSync: () => synced,
    lastBeatAt: (instanceId) => beats.get(instanceId),
    beat: (instanceId) => {
      beats.set(instanceId, clock.now());
    },
    wasDone: (what) => things.has(what),
    done: (what) => {
      if (things.size >= thingsToRemember) things.clear();
      things.add(what);
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
