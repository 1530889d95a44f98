import type { AlarmView } from '../../../ui/state/types.ts';

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
export function alarmViews(history: readonly AlarmChange[]): readonly AlarmView[] {
  const last = new Map(history.map((change) => [change.alarm.alarmName, change]));
  return [...last.values()]
    .filter(notifies)
    .sort((one, other) => one.at - other.at)
    .map(({ alarm, at }) => ({ name: alarm.alarmName, description: alarm.description, since: at }));
}

const notifies = ({ alarm, after }: AlarmChange): boolean =>
  after === 'ALARM' || (after === 'INSUFFICIENT_DATA' && alarm.insufficientDataActions.length > 0);
