import { isThrottled } from '../../shared/aws/errors.ts';

/** Whether AWS, the API server or the scale API refused a call because there were too many. The reason may be the error's cause. */
export const asksForFewerCalls = (error: unknown): boolean =>
  error instanceof Error &&
  (isThrottled(error) ||
    ('statusCode' in error && error.statusCode === 429) ||
    asksForFewerCalls(error.cause));
