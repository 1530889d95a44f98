import type { Clock } from '../../simulation/clock.ts';
import { AwsError } from '../service.ts';

/** A token bucket: so many calls at once, and so many more each second. */
export interface RequestBucket {
  readonly burst: number;
  readonly perSecond: number;
}

/** How fast AWS lets an account call it in a region. A service without an entry accepts every call. */
export interface RequestLimits {
  /**
   * EC2 Auto Scaling has a bucket for each account and region whose size is not published (user guide, "Quotas"). Users report refusals
   * at a few calls a second (aws/aws-node-termination-handler#1174).
   */
  readonly autoScaling?:
    | { readonly changes: RequestBucket; readonly reads: RequestBucket }
    /** One bucket for all calls: the user guide does not describe whether there are two. */
    | { readonly calls: RequestBucket };
  /** A bucket for each action (EC2 developer guide, "Request throttling for the Amazon EC2 API"). */
  readonly ec2?: {
    /** Describe actions with ids, filters or pages. */
    readonly reads: RequestBucket;
    readonly unfilteredReads: RequestBucket;
    readonly runInstances: RequestBucket;
    readonly changes: RequestBucket;
  };
  /** For each account and region (IAM and STS quotas). */
  readonly sts?: RequestBucket;
  /** PutEvents: 400 to 10,000 a second by region (EventBridge quotas). */
  readonly putEvents?: RequestBucket;
  /** 50 to 1,000 a second by operation and region (EventBridge Scheduler quotas). */
  readonly scheduler?: RequestBucket;
  /**
   * For each FIFO queue without high throughput and each action: 300 calls a second, of which a batch is one (SQS developer guide, "Amazon SQS
   * message quotas").
   */
  readonly sqsFifo?: RequestBucket;
  /**
   * GetParameter, GetParameters and GetParametersByPath share 40 a second by default (AWS General Reference, "AWS Systems Manager endpoints and
   * quotas").
   */
  readonly ssmReads?: RequestBucket;
  /** Each action has buckets whose sizes are not published (AWS Security Blog, "How to monitor and query IAM resources at scale – Part 2"). */
  readonly iam?: RequestBucket;
  /** Describe actions of version 2 share 40, refilled by 10 a second (ELB user guide, "Request throttling for the ELB API"). */
  readonly loadBalancingReads?: RequestBucket;
}

/** What AWS documents, by its smallest region, and low guesses for Auto Scaling and IAM. Route 53 has its own limit, in `timings`. */
export const documentedLimits: Required<RequestLimits> = {
  autoScaling: { changes: { burst: 20, perSecond: 5 }, reads: { burst: 20, perSecond: 5 } },
  ec2: {
    reads: { burst: 100, perSecond: 20 },
    unfilteredReads: { burst: 50, perSecond: 10 },
    runInstances: { burst: 5, perSecond: 2 },
    changes: { burst: 50, perSecond: 5 },
  },
  sts: { burst: 600, perSecond: 600 },
  putEvents: { burst: 400, perSecond: 400 },
  scheduler: { burst: 50, perSecond: 50 },
  sqsFifo: { burst: 300, perSecond: 300 },
  ssmReads: { burst: 40, perSecond: 40 },
  iam: { burst: 50, perSecond: 10 },
  loadBalancingReads: { burst: 40, perSecond: 10 },
};

interface Call {
  /** The signing name of the service. */
  readonly service: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The calls of one operation: how many came, and how many of them were refused. */
export interface CallCount {
  readonly calls: number;
  readonly refused: number;
}

export interface RequestMeter {
  /** Counts the call. Throws the error of its service if the bucket is empty: a refused call takes no token. */
  admit(call: Call): void;
  /** By `SERVICE OPERATION`, such as `autoscaling DescribeAutoScalingGroups`. */
  counts(): ReadonlyMap<string, CallCount>;
  reset(): void;
}

/** What a meter has to know of the account. */
interface MeteredAccount {
  /** Whether a queue is FIFO and has no high throughput. */
  readonly isSlowFifo: (queueUrl: string) => boolean;
}

export function createRequestMeter(
  clock: Clock,
  limits: RequestLimits = {},
  account: MeteredAccount = { isSlowFifo: (queueUrl) => queueUrl.endsWith('.fifo') },
): RequestMeter {
  const buckets = new Map<string, { tokens: number; countedAt: number }>();
  const counts = new Map<string, CallCount>();
  const take = (key: string, { burst, perSecond }: RequestBucket): boolean => {
    const now = clock.now();
    const { tokens, countedAt } = buckets.get(key) ?? { tokens: burst, countedAt: now };
    const filled = Math.min(burst, tokens + (Math.max(0, now - countedAt) / 1000) * perSecond);
    buckets.set(key, { tokens: filled < 1 ? filled : filled - 1, countedAt: now });
    return filled >= 1;
  };
  return {
    admit: (call) => {
      const limit = limitOf(call, limits, account);
      const isRefused = limit !== undefined && !take(limit.key, limit.bucket);
      const name = `${call.service} ${call.operation}`;
      const { calls, refused } = counts.get(name) ?? { calls: 0, refused: 0 };
      counts.set(name, { calls: calls + 1, refused: refused + Number(isRefused) });
      if (isRefused) throw refusals[call.service]?.() ?? throttling();
    },
    counts: () => new Map(counts),
    reset: () => counts.clear(),
  };
}

/** The bucket of a call, by a name that calls of the same bucket share. Undefined if its service has no limit. */
function limitOf(
  { service, operation, input }: Call,
  limits: RequestLimits,
  account: MeteredAccount,
): { readonly key: string; readonly bucket: RequestBucket } | undefined {
  const { autoScaling, ec2 } = limits;
  const isRead = operation.startsWith('Describe');
  const of = (key: string, bucket: RequestBucket | undefined) =>
    bucket && { key: `${service} ${key}`, bucket };
  switch (service) {
    case 'autoscaling':
      if (autoScaling && 'calls' in autoScaling) return of('calls', autoScaling.calls);
      return isRead ? of('reads', autoScaling?.reads) : of('changes', autoScaling?.changes);
    case 'ec2': {
      if (!isRead) return of(operation, operation === 'RunInstances' ? ec2?.runInstances : ec2?.changes);
      const isNarrow = Object.entries(input).some(
        ([name, value]) => narrows.test(name) && value !== undefined,
      );
      return isNarrow ? of(operation, ec2?.reads) : of(`${operation} unfiltered`, ec2?.unfilteredReads);
    }
    case 'sts':
      return of('calls', limits.sts);
    case 'events':
      return operation === 'PutEvents' ? of(operation, limits.putEvents) : undefined;
    case 'scheduler':
      return of(operation, limits.scheduler);
    case 'sqs': {
      const queueUrl = typeof input['QueueUrl'] === 'string' ? input['QueueUrl'] : '';
      const isLimited = ofMessages.test(operation) && account.isSlowFifo(queueUrl);
      return isLimited ? of(`${queueUrl} ${operation.replace(/Batch$/, '')}`, limits.sqsFifo) : undefined;
    }
    case 'ssm':
      return valueReads.has(operation) ? of('reads', limits.ssmReads) : undefined;
    case 'iam':
      return of(operation, limits.iam);
    case 'elasticloadbalancing':
      return isRead ? of('reads', limits.loadBalancingReads) : undefined;
    default:
      return undefined;
  }
}

/** Ids, filters and pages make a read of EC2 cheap. */
const narrows = /(?:Ids?|Names?|Filters|MaxResults)$/;

/** The actions on the messages of a queue, single and in batches. */
const ofMessages = /Message(?:Visibility)?(?:Batch)?$/;

const valueReads: ReadonlySet<string> = new Set(['GetParameter', 'GetParameters', 'GetParametersByPath']);

const throttling = (): AwsError => new AwsError({ code: 'Throttling', message: 'Rate exceeded' });

/** Each service has an error of its own. */
const refusals: Readonly<Record<string, () => AwsError>> = {
  ec2: () =>
    new AwsError({ code: 'RequestLimitExceeded', message: 'Request limit exceeded.', statusCode: 503 }),
  events: () => new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
  scheduler: () => new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded', statusCode: 429 }),
  ssm: () => new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
  elasticloadbalancing: () => new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
  // The SDK's model of SQS: RequestThrottled, 403.
  sqs: () => new AwsError({ code: 'RequestThrottled', message: 'Request is throttled.', statusCode: 403 }),
};
