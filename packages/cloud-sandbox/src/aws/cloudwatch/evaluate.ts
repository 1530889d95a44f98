export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** What an alarm minds, as PutMetricAlarm has it. */
export interface AlarmTerms {
  readonly comparisonOperator: string;
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly treatMissingData: string;
}

/**
 * "CloudWatch attempts to retrieve a higher number of data points than the number specified as Evaluation Periods. The exact
 * number varies"; in the documentation's tables it is two more.
 */
export const evaluationRange = ({ evaluationPeriods }: AlarmTerms): number => evaluationPeriods + 2;

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

/**
 * The state of an alarm by the data points of its evaluation range, oldest first, undefined where data is missing. Missing
 * ones count as little as possible: with as many real points as there are evaluation periods not at all. So an alarm that
 * breaks on silence does so only when its whole range is silent.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 *
 * @throws RangeError for a comparison that is not simulated: of anomaly detection.
 */
export function evaluateAlarm(
  terms: AlarmTerms,
  points: readonly (number | undefined)[],
  before: AlarmState,
): AlarmState {
  const isBreaching = comparisons[terms.comparisonOperator];
  if (isBreaching === undefined)
    throw new RangeError(`the sandbox's CloudWatch has no comparison ${terms.comparisonOperator}`);
  const real = points.filter((point) => point !== undefined);
  const breaching = real.map((value) => isBreaching(value, terms.threshold));
  const missing = terms.evaluationPeriods - real.length;
  if (missing <= 0) return judge(breaching.slice(-terms.evaluationPeriods), terms.datapointsToAlarm);
  const lately = points.slice(-terms.evaluationPeriods);
  const oldest = lately.findIndex((point) => point !== undefined && isBreaching(point, terms.threshold));
  const breachingFor = oldest === -1 ? 0 : lately.length - oldest;
  return withMissing({ terms, breaching, missing, breachingFor, before });
}

const judge = (breaching: readonly boolean[], datapointsToAlarm: number): AlarmState =>
  breaching.filter(Boolean).length >= datapointsToAlarm ? 'ALARM' : 'OK';

function withMissing(evaluation: {
  readonly terms: AlarmTerms;
  readonly breaching: readonly boolean[];
  readonly missing: number;
  /** The age in periods of the oldest breaching point within the evaluation periods. */
  readonly breachingFor: number;
  readonly before: AlarmState;
}): AlarmState {
  const { terms, breaching, missing, breachingFor, before } = evaluation;
  const filled = (isBreaching: boolean): AlarmState =>
    judge([...breaching, ...Array<boolean>(missing).fill(isBreaching)], terms.datapointsToAlarm);
  switch (terms.treatMissingData) {
    case 'breaching':
      return filled(true);
    case 'notBreaching':
      return filled(false);
    case 'ignore':
      return before;
    default:
      if (breaching.length === 0) return 'INSUFFICIENT_DATA';
      // "Avoiding premature transitions": a breaching point that is newer than that may be followed by good ones.
      if (breaching.every(Boolean) && breachingFor >= terms.datapointsToAlarm) return 'ALARM';
      return judge(breaching, terms.datapointsToAlarm);
  }
}
