import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';

/** What every simulated service is made from. */
export interface ServiceParts {
  readonly clock: SimulationClock;
  readonly random: Random;
  readonly accountId: string;
  readonly region: string;
}

/** An event of an AWS service before EventBridge puts its envelope around it. */
export interface AwsEvent {
  readonly source: string;
  readonly detailType: string;
  /** A bare string where AWS documents one (a variant of the capacity reservation warning). */
  readonly resources: readonly string[] | string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Puts an event of a service on the account's default event bus. */
export type PutAwsEvent = (event: AwsEvent) => void;

/** The identity with which a service of AWS reaches a resource. */
export interface Sender {
  /** `events.amazonaws.com`, `sns.amazonaws.com`, `autoscaling.amazonaws.com`, `lambda.amazonaws.com` ... */
  readonly service: string;
  /** The ARN of the rule, the topic, the group, the function or the schedule for which the service calls. */
  readonly sourceArn: string;
  /** The service comes as this role; absent: as itself, and the resource's own policy must let it in. */
  readonly roleArn?: string | undefined;
}

export interface DeliveryOptions {
  readonly sender: Sender;
  /** For FIFO queues. */
  readonly messageGroupId?: string;
  /** Message attributes, all of them strings; for queues. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * Hands a message from one service to another (an SQS queue, an SNS topic, a Lambda function) by its ARN.
 * Throws an AwsError when the target does not take it, or does not let the sender in.
 */
export type Deliver = (targetArn: string, body: string, options: DeliveryOptions) => void;
