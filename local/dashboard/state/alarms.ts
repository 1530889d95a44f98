import type { AlarmView } from './state.ts';

/** An alarm's change of state, as the simulated CloudWatch remembers it. */
export interface AlarmChange {
  readonly alarm: { readonly alarmName: string; readonly description: string };
  readonly after: string;
  readonly at: number;
}

/** The alarms whose last change led to ALARM, the longest in it first. `history`: oldest first. */
export function alarmViews(history: readonly AlarmChange[]): readonly AlarmView[] {
  const last = new Map(history.map((change) => [change.alarm.alarmName, change]));
  return [...last.values()]
    .filter(({ after }) => after === 'ALARM')
    .sort((one, other) => one.at - other.at)
    .map(({ alarm, at }) => ({ name: alarm.alarmName, description: alarm.description, since: at }));
}
