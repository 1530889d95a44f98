import type { Clock } from '../../simulation/clock.ts';
import { resourceKey } from '../resources/definition.ts';
import { createRevisionLog } from '../store/revision-log.ts';
import type { Store } from '../store/store.ts';
import type { Selection } from './list.ts';
import { listVersionOf } from './versions.ts';

/** The API server's cache of what it has seen of etcd, which may be behind. */
export interface WatchCache {
  /** The revision that answers a read which permits an old one; undefined: the newest. */
  revisionFor(selection: Selection): number | undefined;
}

export const currentCache: WatchCache = { revisionFor: () => undefined };

/**
 * A read permits an old answer by its resourceVersion: 0 any, another one nothing older. Where so many changes came since that a
 * collection has forgotten them, it answers the newest.
 */
export function createWatchCache(store: Store, clock: Clock): WatchCache {
  const log = createRevisionLog(store, clock);
  return {
    revisionFor: ({ definition, query, staleSeconds = 0 }) => {
      if (staleSeconds <= 0 || (query.get('resourceVersion') ?? '') === '') return undefined;
      const revision = Math.max(listVersionOf(query), log.at(clock.now() - staleSeconds * 1000));
      const isKept = store.find(resourceKey(definition))?.since(revision) !== undefined;
      return isKept && revision < store.revision ? revision : undefined;
    },
  };
}
