import type { InstancePlace } from '../../passes/hook-notice.ts';
import type { LeavingNotice } from '../../passes/leaving-notice.ts';

/** An instance that is launched and waits on a hook. */
export interface LaunchAction {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly lifecycleHookName: string;
  readonly lifecycleActionToken?: string;
  /** ISO 8601 in UTC. */
  readonly noticedAt: string;
  /** `WarmPool`: it leaves the pool to serve. Absent in older events. */
  readonly origin?: InstancePlace;
  /** `WarmPool`: it is launched into the pool, and does not serve yet. Absent in older events. */
  readonly destination?: InstancePlace;
}

/**
 * What an event means for Drover:
 * - `leaving`: instances have a reason to leave, one notice each;
 * - `joining`: an instance is launched and waits;
 * - `ignored`: a known kind that asks for nothing, and why;
 * - `unknown`: no kind of ours;
 * - `malformed`: of a known kind and not readable.
 *
 * `what` names the event for the log.
 */
export type EventMeaning =
  | { readonly kind: 'leaving'; readonly what: string; readonly notices: readonly LeavingNotice[] }
  | { readonly kind: 'joining'; readonly what: string; readonly launch: LaunchAction }
  | { readonly kind: 'ignored'; readonly what: string; readonly reason: string }
  | { readonly kind: 'unknown'; readonly what: string }
  | { readonly kind: 'malformed'; readonly what: string; readonly error: EventError };

/** An event that cannot be read: which field, and what an operator can do. Never carries the field's value. */
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
