import type { PassQueue } from '../../lifecycle/queue.ts';
import type { Host } from '../host.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** What the batch loop acts on. */
export interface QueueContext {
  readonly host: Pick<Host, 'clock' | 'randomBytes'>;
  readonly queue: PassQueue;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** From 0 to 1, out of the host's randomness. */
export const chance = ({ randomBytes: bytes }: QueueContext['host']): number => (bytes(1)[0] ?? 0) / 255;
