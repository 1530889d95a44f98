import type { RaisedAlarm } from '../../../shared/problems/alarm-problems.ts';

/** An alarm's change of state, as the simulated CloudWatch remembers it. */
export interface AlarmChange {
  readonly alarm: {
    readonly alarmName: string;
    readonly description: string;
    readonly insufficientDataActions: readonly string[];
  };
  readonly after: string;
  readonly at: number;
}

/** The alarms whose last change notified people, the longest first. `history`: oldest first. */
export function raisedAlarms(history: readonly AlarmChange[]): readonly RaisedAlarm[] {
  const last = new Map(history.map((change) => [change.alarm.alarmName, change]));
  return [...last.values()]
    .filter(notifies)
    .sort((one, other) => one.at - other.at)
    .map(({ alarm, at }) => ({ name: alarm.alarmName, description: alarm.description, since: at }));
}

const notifies = ({ alarm, after }: AlarmChange): boolean =>
  after === 'ALARM' || (after === 'INSUFFICIENT_DATA' && alarm.insufficientDataActions.length > 0);
