/** The caller, as the simulated IAM knows it. */
export interface Principal {
  readonly accountId: string;
  /** `arn:aws:iam::123456789012:role/x`, `...:root` or an assumed-role ARN. */
  readonly arn: string;
  /** What signed: an access key id of the simulation. */
  readonly accessKeyId: string;
}

/** What an operation knows of its call besides the input. */
export interface CallContext {
  readonly principal: Principal;
  readonly requestId: string;
  /** X-Amzn-Trace-Id, which a function's calls carry, and messages onwards: by it Lambda sees a loop. */
  readonly traceHeader?: string | undefined;
  /** How far behind a read may be answered: services whose reads are eventually consistent show their state as it was then. */
  readonly staleSeconds?: number | undefined;
}

/**
 * One simulated AWS service: state behind operations. An operation takes the SDK's own input shape and gives its output
 * shape; codecs, signatures, permissions and faults are the front's.
 */
export interface AwsService {
  /** As in the signing scope: `autoscaling`, `ec2`, `route53`, `sqs`, `ssm`, `sts`, `events`, `scheduler`, `sns`, `elasticloadbalancing`, `lambda`, `eks`, `iam`, `logs`, `monitoring`, `cloudformation`. */
  readonly signingName: string;
  readonly operations: Readonly<Record<string, (input: never, call: CallContext) => unknown>>;
}

/** What AWS would answer instead of success. `code` as AWS spells it, e.g. `ValidationError`. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly statusCode: number;

  constructor({ code, message, statusCode = 400 }: { code: string; message: string; statusCode?: number }) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
  }
}
