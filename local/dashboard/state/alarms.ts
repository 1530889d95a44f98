import type { RaisedAlarm } from '../../../shared/problems/alarm-problems.ts';

/** An alarm's change of state, as the simulated CloudWatch remembers it. */
export interface AlarmChange {
  readonly alarm: {
    readonly alarmName: string;
    readonly description: string;
    readonly insufficientDataActions: readonly string[];
    readonly treatMissingData: string;
    readonly metrics: readonly { readonly periodSeconds: number }[];
  };
  readonly after: string;
  readonly at: number;
}

/**
 * The alarms whose last change notified people, the longest first. `history`: oldest first. An alarm on silence is raised when it is
 * created, before anything could run: it counts once it could have seen that much silence.
 */
export function raisedAlarms(history: readonly AlarmChange[], now: number): readonly RaisedAlarm[] {
  const first = new Map(history.toReversed().map((change) => [change.alarm.alarmName, change]));
  const isTooNew = (change: AlarmChange): boolean =>
    first.get(change.alarm.alarmName) === change &&
    change.alarm.treatMissingData === 'breaching' &&
    now - change.at < 3 * 1000 * (change.alarm.metrics[0]?.periodSeconds ?? 0);
  const last = new Map(history.map((change) => [change.alarm.alarmName, change]));
  return [...last.values()]
    .filter((change) => notifies(change) && !isTooNew(change))
    .sort((one, other) => one.at - other.at)
    .map(({ alarm, at }) => ({ name: alarm.alarmName, description: alarm.description, since: at }));
}

const notifies = ({ alarm, after }: AlarmChange): boolean =>
  after === 'ALARM' || (after === 'INSUFFICIENT_DATA' && alarm.insufficientDataActions.length > 0);
