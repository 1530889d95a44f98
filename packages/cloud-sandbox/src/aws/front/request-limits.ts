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
}

/** What AWS documents, by its smallest region, and a low guess for Auto Scaling. */
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

export function createRequestMeter(clock: Clock, limits: RequestLimits = {}): RequestMeter {
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
      const limit = limitOf(call, limits);
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
  { autoScaling, ec2, sts, putEvents, scheduler }: RequestLimits,
): { readonly key: string; readonly bucket: RequestBucket } | undefined {
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
      return of('calls', sts);
    case 'events':
      return operation === 'PutEvents' ? of(operation, putEvents) : undefined;
    case 'scheduler':
      return of(operation, scheduler);
    default:
      return undefined;
  }
}

/** Ids, filters and pages make a read of EC2 cheap. */
const narrows = /(?:Ids?|Names?|Filters|MaxResults)$/;

const throttling = (): AwsError => new AwsError({ code: 'Throttling', message: 'Rate exceeded' });

/** Each service has an error of its own. */
const refusals: Readonly<Record<string, () => AwsError>> = {
  ec2: () =>
    new AwsError({ code: 'RequestLimitExceeded', message: 'Request limit exceeded.', statusCode: 503 }),
  events: () => new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }),
  scheduler: () => new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded', statusCode: 429 }),
};
