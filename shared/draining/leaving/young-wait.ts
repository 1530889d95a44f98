import type { LifecycleAction } from '../../lifecycle/group.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';

const youngSeconds = 100;
/** The next pass comes within this time: the messages of a killed pass are hidden for 180 seconds. */
const longestGapSeconds = 200;

/**
 * Whether the wait began so recently that the next pass still comes in time to send its first heartbeat. The start of the wait,
 * which the message tells, starts the timer of its hook as a heartbeat does. Only a hook whose timeout this environment knows counts.
 */
export function isYoungWait(
  { memory, clock }: Pick<LeavingContext, 'memory' | 'clock'>,
  { notices }: LeavingSubject,
  action: LifecycleAction,
): boolean {
  const timeoutSeconds = memory.timeoutOf(action);
  const starts = notices.flatMap(({ cause, hook, noticedAt }) =>
    cause === 'terminating' && hook?.lifecycleHookName === action.lifecycleHookName
      ? [Date.parse(noticedAt)]
      : [],
  );
  if (timeoutSeconds === undefined || starts.length === 0) return false;
  const ageSeconds = (clock.now() - Math.min(...starts)) / 1000;
  return ageSeconds >= 0 && ageSeconds < Math.min(youngSeconds, timeoutSeconds - longestGapSeconds);
}
