import type { Target } from '@aws-sdk/client-eventbridge';
import type { Deliver, Sender, ServiceParts } from '../integration.ts';
import { AwsError } from '../service.ts';
import { deadLetterAttributes, type FailedDelivery } from './dead-letter.ts';

/** One message on its way to one target, as EventBridge and Scheduler send it. */
export interface Delivery {
  readonly target: Pick<Target, 'Arn' | 'DeadLetterConfig' | 'RetryPolicy' | 'SqsParameters'>;
  readonly body: string;
  readonly sender: Sender;
}

/** How a delivery ended. */
export type DeliveryEnd = 'delivered' | 'dead-lettered' | 'dropped';

const defaults = { attempts: 185, ageSeconds: 86_400 };
const longestPauseSeconds = 300;

/**
 * Tries until the target takes the message or the retry policy ends; then it goes to the dead-letter queue, if there
 * is one. What cannot get better (the target is gone, not allowed) is not tried again.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html
 */
export function deliverWithRetries(
  parts: ServiceParts & { readonly deliver: Deliver },
  delivery: Delivery,
  ended: (end: DeliveryEnd) => void,
): void {
  const { RetryPolicy: policy } = delivery.target;
  const attempts = policy?.MaximumRetryAttempts ?? defaults.attempts;
  const deadline = parts.clock.now() + (policy?.MaximumEventAgeInSeconds ?? defaults.ageSeconds) * 1000;
  const attempt = (retries: number): void => {
    const error = tryOnce(parts.deliver, delivery);
    if (error === undefined) return ended('delivered');
    const giveUp = (exhausted?: FailedDelivery['exhausted']): void =>
      ended(deadLetter(parts.deliver, delivery, { error, retries, exhausted }));
    const pauseMilliseconds = pause(parts, retries);
    if (!isTransient(error)) return giveUp();
    if (retries >= attempts) return giveUp('MaximumRetryAttempts');
    if (parts.clock.now() + pauseMilliseconds > deadline) return giveUp('MaximumEventAgeInSeconds');
    parts.clock.after(pauseMilliseconds, () => attempt(retries + 1));
  };
  attempt(0);
}

function tryOnce(deliver: Deliver, { target, body, sender }: Delivery): AwsError | undefined {
  const messageGroupId = target.SqsParameters?.MessageGroupId;
  return refusalOf(() =>
    deliver(target.Arn ?? '', body, { sender, ...(messageGroupId !== undefined && { messageGroupId }) }),
  );
}

function refusalOf(call: () => void): AwsError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof AwsError) return error;
    throw error;
  }
}

const isTransient = (failure: AwsError): boolean => failure.statusCode >= 500 || /thrott/i.test(failure.code);

/** Exponential with jitter. */
function pause({ random }: ServiceParts, retries: number): number {
  const seconds = Math.min(2 ** retries, longestPauseSeconds);
  return Math.round(seconds * (0.5 + random.next() / 2) * 1000);
}

function deadLetter(
  deliver: Deliver,
  { target, body, sender }: Delivery,
  failed: FailedDelivery,
): DeliveryEnd {
  const { Arn: queueArn } = target.DeadLetterConfig ?? {};
  if (queueArn === undefined) return 'dropped';
  const attributes = deadLetterAttributes({ ...failed, targetArn: target.Arn ?? '', sender });
  const refusal = refusalOf(() => deliver(queueArn, body, { sender, attributes }));
  return refusal === undefined ? 'dead-lettered' : 'dropped';
}
