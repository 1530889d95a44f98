import type { Connection } from '../connection.ts';
import type { DashboardState } from './types.ts';

/** A state with what is known of its age. */
export interface HeardState {
  readonly state: DashboardState;
  /** When the state was last known to be current; undefined if it is current. */
  readonly oldSince?: number;
}

/** A reading takes some seconds, and a pause follows it. */
const oldMilliseconds = 30_000;

/**
 * The state that the page shows. An old one has the time at which it was read as its `now`, so that the page computes no durations up to a
 * moment of which it knows nothing. Pure.
 */
export function heardState(state: DashboardState, connection: Connection): HeardState {
  const { now, readAt = now } = state;
  const age = now - readAt;
  // If the clock was set back meanwhile, the age is unknown.
  if (connection === 'live' && age >= 0 && age < oldMilliseconds) return { state };
  return { state: { ...state, now: readAt }, oldSince: readAt };
}
