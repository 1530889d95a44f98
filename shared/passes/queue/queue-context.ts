import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { PassQueue } from '../queue.ts';

/** What the batch loop acts on. */
export interface QueueContext {
  readonly host: { readonly clock: Clock; readonly randomBytes: (size: number) => Uint8Array };
  readonly queue: PassQueue;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** From 0 to 1, out of the host's randomness. */
export const chance = ({ randomBytes: bytes }: QueueContext['host']): number => (bytes(1)[0] ?? 0) / 255;
