import { documentedLimits, type RequestBucket, type RequestLimits } from '@drover/cloud-sandbox/aws';

/** The buckets that a command line can set, by the names of services in the SDK. */
const settable = {
  autoscaling: (bucket: RequestBucket): RequestLimits => ({ autoScaling: { calls: bucket } }),
  ec2: (bucket: RequestBucket): RequestLimits => ({
    ec2: { reads: bucket, unfilteredReads: bucket, runInstances: bucket, changes: bucket },
  }),
  elb: (bucket: RequestBucket): RequestLimits => ({ loadBalancingReads: bucket }),
  events: (bucket: RequestBucket): RequestLimits => ({ putEvents: bucket }),
  iam: (bucket: RequestBucket): RequestLimits => ({ iam: bucket }),
  scheduler: (bucket: RequestBucket): RequestLimits => ({ scheduler: bucket }),
  sqs: (bucket: RequestBucket): RequestLimits => ({ sqsFifo: bucket }),
  ssm: (bucket: RequestBucket): RequestLimits => ({ ssmReads: bucket }),
  sts: (bucket: RequestBucket): RequestLimits => ({ sts: bucket }),
} as const;

/** `autoscaling=20/5`: 20 calls at once, and 5 more a second. */
const pattern = /^([a-z0-9]+)=([1-9]\d{0,5})\/(\d{1,6}(?:\.\d{1,3})?)$/;

/** Reads the value of `--request-limits`: `documented`, buckets, or both; undefined for anything else. */
export function readRequestLimits(text: string): RequestLimits | undefined {
  let limits: RequestLimits = {};
  for (const part of text.split(',')) {
    const read = part === 'documented' ? documentedLimits : bucketIn(part);
    if (read === undefined) return undefined;
    limits = { ...limits, ...read };
  }
  return limits;
}

function bucketIn(part: string): RequestLimits | undefined {
  const [, name = '', burst, perSecond] = pattern.exec(part) ?? [];
  if (!Object.hasOwn(settable, name)) return undefined;
  return settable[name as keyof typeof settable]({ burst: Number(burst), perSecond: Number(perSecond) });
}

/** What `--request-limits` takes, for a message. */
export const requestLimitsForm = `documented, and SERVICE=BURST/PER_SECOND with commas between, of ${Object.keys(settable).join(', ')}`;
