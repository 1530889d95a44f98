import type { Sender } from '../integration.ts';
import type { AwsError } from '../service.ts';

/** Why a message was given up: the last error, and which limit of the retry policy was reached, if one was. */
export interface FailedDelivery {
  readonly error: AwsError;
  readonly retries: number;
  readonly exhausted: 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds' | undefined;
}

/**
 * The attributes of a message in a dead-letter queue:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html and, with its own name for the source and the
 * target's own error code, https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
 */
export function deadLetterAttributes(
  failed: FailedDelivery & { readonly targetArn: string; readonly sender: Sender },
): Readonly<Record<string, string>> {
  const { error, retries, exhausted, targetArn, sender } = failed;
  const isSchedule = sender.service === 'scheduler.amazonaws.com';
  return {
    [isSchedule ? 'SCHEDULE_ARN' : 'RULE_ARN']: sender.sourceArn,
    TARGET_ARN: targetArn,
    ERROR_CODE: isSchedule ? error.code : errorCode(error),
    ERROR_MESSAGE: error.message,
    ...(exhausted !== undefined && { EXHAUSTED_RETRY_CONDITION: exhausted }),
    RETRY_ATTEMPTS: String(retries),
  };
}

/** EventBridge's own words for what a target answered. */
function errorCode({ code, statusCode }: AwsError): string {
  if (/AccessDenied|NotAuthorized/.test(code)) return 'NO_PERMISSIONS';
  if (/NotFound|NonExistent|DoesNotExist/.test(code)) return 'NO_RESOURCE';
  if (/thrott/i.test(code)) return 'THROTTLING';
  return statusCode >= 500 ? 'ERROR_FROM_TARGET' : 'SDK_CLIENT_ERROR';
}
