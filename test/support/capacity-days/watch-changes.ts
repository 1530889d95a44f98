import type { DroverWorld } from '../../../local/world/drover-world.ts';
import type { CreateHandler } from '../../../shared/runtime/host.ts';
import { faultOfLowering } from '../lifetimes/rules/capacity.ts';
import type { CapacityBook } from '../lifetimes/watch/capacity-book.ts';
import { watchedHost } from '../lifetimes/watch/watched-host.ts';

interface Seen {
  readonly world: DroverWorld;
  readonly capacity: CapacityBook;
}

/** Judges every change of bounds that `prewarm` requests. */
export function createWatch() {
  const faults: string[] = [];
  let changes = 0;
  let seen: Seen | undefined;
  return {
    begin: (world: DroverWorld, capacity: CapacityBook) => {
      seen = { world, capacity };
    },
    create:
      (create: CreateHandler): CreateHandler =>
      (host) =>
        create(
          watchedHost(host, 'prewarm', {
            now: () => seen?.world.clock.now() ?? 0,
            onCall: (call) => {
              if (call.kind !== 'set-bounds' || !seen) return;
              changes += 1;
              const fault = faultOfLowering(call, { ...seen, now: seen.world.clock.now() });
              if (fault !== undefined)
                faults.push(`${new Date(seen.world.clock.now()).toISOString()} ${fault}`);
            },
            onAnswer: () => undefined,
            onLine: () => undefined,
          }),
        ),
    faults: () => faults,
    changes: () => changes,
  };
}
