import type { SimulationClock, Timer } from '../../simulation/clock.ts';
import { type AlarmState, type AlarmTerms, evaluateAlarm, evaluationRange } from './evaluate.ts';
import { createMetricStore, type MetricIdentity, type MetricPoint } from './metric-store.ts';

export interface AlarmQuery extends MetricIdentity {
  readonly statistic: string;
  readonly periodSeconds: number;
}

export interface Alarm extends AlarmTerms {
  readonly alarmName: string;
  readonly description: string;
  /** One, or several that the expression makes one of. */
  readonly metrics: readonly AlarmQuery[];
  readonly expression?: string | undefined;
  readonly alarmActions: readonly string[];
  readonly okActions: readonly string[];
  readonly insufficientDataActions: readonly string[];
}

export interface StateChange {
  readonly alarm: Alarm;
  readonly before: AlarmState;
  readonly after: AlarmState;
  readonly at: number;
  /** Why, in the words of the evaluation or of who set the state. */
  readonly reason: string;
}

/** What became of an action after a change of state. */
export interface PerformedAction {
  readonly alarmName: string;
  /** The ARN of what was to be notified. */
  readonly action: string;
  readonly at: number;
  /** Absent if it succeeded. */
  readonly error?: string;
}

/** The alarms of the account, on simulated time. The sandbox reads alarms from the template; `monitoring.ts` describes them. */
export interface SimulatedCloudWatch {
  putMetric(point: MetricPoint): void;
  /** Evaluates every alarm now and at every full minute from here on, as CloudWatch does for periods of a minute and more. */
  start(): void;
  stop(): void;
  stateOf(alarmName: string): AlarmState | undefined;
  /** The reason of the present state; undefined before the first evaluation. */
  reasonOf(alarmName: string): string | undefined;
  /** Sets a state until the next evaluation, as SetAlarmState does. False: there is no such alarm. */
  setState(alarmName: string, state: AlarmState, reason: string): boolean;
  /** Every change of state, oldest first. */
  history(): readonly StateChange[];
}

export interface CloudWatchOptions {
  readonly clock: SimulationClock;
  readonly alarms: readonly Alarm[];
  /** Called before each evaluation: for metrics that services put every minute. */
  readonly onMinute?: () => void;
  readonly onStateChange?: (change: StateChange) => void;
}

const minuteMilliseconds = 60_000;

/** @throws RangeError for an alarm that it could not evaluate: another expression than `SUM(METRICS())`. */
export function createCloudWatch(options: CloudWatchOptions): SimulatedCloudWatch {
  const { clock, alarms, onMinute, onStateChange } = options;
  const store = createMetricStore();
  const states = new Map<string, AlarmState>(alarms.map(({ alarmName }) => [alarmName, 'INSUFFICIENT_DATA']));
  const reasons = new Map<string, string>();
  const history: StateChange[] = [];
  let timer: Timer | undefined;
  for (const alarm of alarms) checkExpression(alarm);

  const datapoint = ({ metrics }: Alarm, periodsAgo: number): number | undefined => {
    const end = Math.floor(clock.now() / minuteMilliseconds) * minuteMilliseconds;
    const values = metrics.flatMap(({ statistic, periodSeconds, ...metric }) => {
      const to = end - periodsAgo * periodSeconds * 1000;
      return store.statistic(metric, { statistic, from: to - periodSeconds * 1000, to }) ?? [];
    });
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  };
  const enter = (alarm: Alarm, after: AlarmState, reason: string): void => {
    const before = states.get(alarm.alarmName) ?? 'INSUFFICIENT_DATA';
    states.set(alarm.alarmName, after);
    reasons.set(alarm.alarmName, reason);
    if (after === before) return;
    const change = { alarm, before, after, at: clock.now(), reason };
    history.push(change);
    onStateChange?.(change);
  };
  const evaluate = (alarm: Alarm): void => {
    const range = evaluationRange(alarm);
    const points = Array.from({ length: range }, (_, index) => datapoint(alarm, range - 1 - index));
    const before = states.get(alarm.alarmName) ?? 'INSUFFICIENT_DATA';
    const after = evaluateAlarm(alarm, points, before);
    if (after !== before) enter(alarm, after, 'Threshold Crossed');
  };
  const start = (): void => {
    const untilMinute = minuteMilliseconds - (clock.now() % minuteMilliseconds);
    timer = clock.after(untilMinute, () => {
      start();
      onMinute?.();
      for (const alarm of alarms) evaluate(alarm);
    });
  };
  return {
    putMetric: (point) => store.record(point),
    start,
    stop: () => timer?.cancel(),
    stateOf: (alarmName) => states.get(alarmName),
    reasonOf: (alarmName) => reasons.get(alarmName),
    setState: (alarmName, state, reason) => {
      const alarm = alarms.find((one) => one.alarmName === alarmName);
      if (alarm !== undefined) enter(alarm, state, reason);
      return alarm !== undefined;
    },
    history: () => history,
  };
}

/** One metric needs no expression; several are summed up by the only one that the sandbox knows. */
function checkExpression({ alarmName, metrics, expression }: Alarm): void {
  const isKnown = expression === undefined ? metrics.length === 1 : expression === 'SUM(METRICS())';
  if (!isKnown)
    throw new RangeError(
      `the sandbox's CloudWatch cannot evaluate ${alarmName}: ${expression ?? 'several metrics'}`,
    );
}
