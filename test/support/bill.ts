import type { AlarmWiring, Wiring } from '@drover/cloud-sandbox';

/**
 * List prices in USD of us-east-1 in November 2026, without the free tiers: aws.amazon.com/cloudwatch/pricing, /lambda/pricing (arm64),
 * /sqs/pricing, /kms/pricing, /s3/pricing. At rest these cost nothing: rules of EventBridge for events of AWS and for schedules,
 * Scheduler without schedules, HTTP APIs without calls, standard parameters, encryption with keys of SQS.
 */
const prices = {
  metricMonth: 0.3,
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  logGigabyteIngested: 0.5,
  logGigabyteMonth: 0.03,
  lambdaGigabyteSecond: 0.000_013_333_4,
  lambdaRequest: 0.2e-6,
  standardReceive: 0.4e-6,
  fifoReceive: 0.5e-6,
  kmsRequest: 3e-6,
  s3Request: 5e-6,
  alarmRead: 1e-5,
};

const monthHours = 30 * 24;

/**
 * Lambda holds five long polls of 20 s open at each queue (Lambda developer guide, "Using Lambda with Amazon SQS"; 15 empty receives a
 * minute were measured in https://github.com/getlift/lift/issues/132).
 */
const receivesMonth = 15 * 60 * monthHours;

/** What a scheduled run takes, on average: most of it waits for one response of AWS or of the API server. */
const runSeconds = 0.2;
/** START, END and REPORT of Lambda, and the 26 bytes that CloudWatch Logs counts for each line. */
const bytesOfRun = 500;
const bytesOfLine = 26;

/** What happened in some whole hours of a deployment. */
export interface Watched {
  readonly hours: number;
  readonly wiring: Wiring;
  readonly dashboards: number;
  /** The names of the functions that ran. */
  readonly invocations: readonly string[];
  readonly lines: readonly object[];
  /** `ssm GetParameter`, with the services of AWS. */
  readonly calls: readonly string[];
}

export interface Bill {
  readonly customMetrics: number;
  readonly alarms: number;
  readonly dashboard: number;
  readonly polling: number;
  readonly lambda: number;
  readonly logs: number;
  readonly keys: number;
  readonly storage: number;
  readonly alarmReads: number;
}

/** The bill of a month of such hours. Pure. */
export function billOf(watched: Watched): Bill {
  return {
    customMetrics: (metricHoursOf(watched.lines) / watched.hours) * prices.metricMonth,
    alarms: alarmMetricsOf(watched.wiring.alarms) * prices.alarmMetricMonth,
    dashboard: watched.dashboards * prices.dashboardMonth,
    polling: pollingOf(watched.wiring),
    lambda: lambdaOf(watched),
    logs: logsOf(watched),
    // Each secret parameter that is read is one Decrypt, also with the key of AWS.
    // With each read of the alarms, the digest reads its own, which is not secret.
    keys: (callsTo(watched, /^ssm GetParameters?$/) - callsTo(watched, /^monitoring /)) * prices.kmsRequest,
    alarmReads: callsTo(watched, /^monitoring /) * prices.alarmRead,
    storage: callsTo(watched, /^s3 (?:Put|List|Copy)/) * prices.s3Request,
  };
}

/**
 * "All custom metrics charges are prorated by the hour and metered only when you send metrics", and each set of dimensions is a metric of
 * its own.
 */
export function metricHoursOf(lines: readonly object[]): number {
  const seen = new Set<string>();
  for (const { _aws: about, ...line } of lines as readonly EmbeddedLine[])
    for (const { Namespace, Dimensions, Metrics } of about?.CloudWatchMetrics ?? [])
      for (const dimensions of Dimensions)
        for (const { Name } of Metrics) {
          const values = dimensions.map((dimension) => [dimension, line[dimension]]);
          const hour = Math.floor((about?.Timestamp ?? 0) / 3_600_000);
          seen.add(JSON.stringify([Namespace, Name, values, hour]));
        }
  return seen.size;
}

/** A line of the embedded metric format, or another one. */
interface EmbeddedLine {
  readonly _aws?: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [member: string]: unknown;
}

/** "Metric alarms incur costs for each metric that you list in the alarm metric expression." */
export const alarmMetricsOf = (alarms: readonly AlarmWiring[]): number =>
  alarms.reduce((sum, { metrics }) => sum + metrics.length, 0);

const pollingOf = ({ eventSourceMappings }: Wiring): number =>
  eventSourceMappings
    .filter(({ enabled }) => enabled)
    .map(({ eventSourceArn }) =>
      eventSourceArn.endsWith('.fifo') ? prices.fifoReceive : prices.standardReceive,
    )
    .reduce((sum, price) => sum + price * receivesMonth, 0);

function lambdaOf({ wiring, invocations, hours }: Watched): number {
  const gigabytes = new Map(
    wiring.functions.flatMap(({ name, functionName, memoryMegabytes }) => [
      [name, memoryMegabytes / 1024],
      [functionName, memoryMegabytes / 1024],
    ]),
  );
  const inAll = invocations.reduce(
    (sum, name) =>
      sum +
      prices.lambdaRequest +
      (gigabytes.get(name) ?? Number.NaN) * runSeconds * prices.lambdaGigabyteSecond,
    0,
  );
  return (monthHours / hours) * inAll;
}

function logsOf({ invocations, lines, hours }: Watched): number {
  const bytes = lines.reduce((sum: number, line) => sum + JSON.stringify(line).length + bytesOfLine, 0);
  const gigabytes = ((monthHours / hours) * (bytes + invocations.length * bytesOfRun)) / 1e9;
  return gigabytes * (prices.logGigabyteIngested + prices.logGigabyteMonth);
}

/** In a month. */
const callsTo = ({ calls, hours }: Watched, what: RegExp): number =>
  (monthHours / hours) * calls.filter((one) => what.test(one)).length;

export const totalOf = (bill: Bill): number => Object.values(bill).reduce((sum, one) => sum + one, 0);
