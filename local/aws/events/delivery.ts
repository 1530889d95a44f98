import type { Target } from '@aws-sdk/client-eventbridge';
import type { Deliver, ServiceParts } from '../integration.ts';
import { AwsError } from '../service.ts';

/** One message on its way to one target, as EventBridge and Scheduler send it. */
export interface Delivery {
  readonly target: Pick<Target, 'Arn' | 'DeadLetterConfig' | 'RetryPolicy' | 'SqsParameters'>;
  readonly body: string;
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
    const failure = tryOnce(parts.deliver, delivery);
    if (failure === undefined) return ended('delivered');
    const pauseMilliseconds = pause(parts, retries);
    const isOver = retries >= attempts || parts.clock.now() + pauseMilliseconds > deadline;
    if (isOver || !isTransient(failure)) return ended(deadLetter(parts.deliver, delivery));
    parts.clock.after(pauseMilliseconds, () => attempt(retries + 1));
  };
  attempt(0);
}

function tryOnce(deliver: Deliver, { target, body }: Delivery): AwsError | undefined {
  const messageGroupId = target.SqsParameters?.MessageGroupId;
  try {
    deliver(target.Arn ?? '', body, messageGroupId === undefined ? {} : { messageGroupId });
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

function deadLetter(deliver: Deliver, { target, body }: Delivery): DeliveryEnd {
  const { Arn } = target.DeadLetterConfig ?? {};
  if (Arn === undefined) return 'dropped';
  return tryOnce(deliver, { target: { Arn }, body }) === undefined ? 'dead-lettered' : 'dropped';
}
