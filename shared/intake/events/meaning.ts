import type { InstancePlace } from '../../passes/hook-notice.ts';
import type { LeavingNotice } from '../../passes/leaving-notice.ts';

/** A new instance that waits on a launching hook. */
interface LaunchAction {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly lifecycleHookName: string;
  readonly lifecycleActionToken?: string;
  /** ISO 8601 in UTC. */
  readonly noticedAt: string;
  /** `WarmPool` if the instance leaves the pool to serve. Absent in older events. */
  readonly origin?: InstancePlace;
  /** `WarmPool` if the instance is launched into the pool and does not serve yet. Absent in older events. */
  readonly destination?: InstancePlace;
}

/**
 * What an event means for Drover:
 * - `leaving`: instances must leave; there is one notice for each;
 * - `joining`: a new instance waits on a launching hook;
 * - `ignored`: nothing has to be done, for the reason given;
 * - `unknown`: Drover does not know this kind of event;
 * - `malformed`: Drover knows the kind, but cannot read the event.
 *
 * `what` names the event for the log.
 */
export type EventMeaning =
  | { readonly kind: 'leaving'; readonly what: string; readonly notices: readonly LeavingNotice[] }
  | { readonly kind: 'joining'; readonly what: string; readonly launch: LaunchAction }
  | { readonly kind: 'ignored'; readonly what: string; readonly reason: string }
  | { readonly kind: 'unknown'; readonly what: string }
  | { readonly kind: 'malformed'; readonly what: string; readonly error: EventError };

/** An event that cannot be read: the field, and what the operator can do. It never has the value of the field. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly field: string;
  readonly remedy: string;

  constructor({ field, problem, remedy }: { field: string; problem: string; remedy: string }) {
    super(`${field}: ${problem}; ${remedy}`);
    this.field = field;
    this.remedy = remedy;
  }
}

/** The account and the region of this deployment. */
export interface Place {
  readonly accountId: string;
  readonly region: string;
}
