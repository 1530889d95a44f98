import type { AwsRequestHandler } from './request-handler.ts';
import { UnreadableAnswerError } from './unreadable-answer.ts';

/** S3 and the other services spell it differently. */
const requestIdHeaders = ['x-amzn-requestid', 'x-amzn-request-id', 'x-amz-request-id'];

/**
 * Rejects a success that AWS has not answered: the SDK would take a proxy's page of HTML for "done". AWS gives each answer a
 * request id.
 *
 * @throws UnreadableAnswerError
 */
export const answeredByAws = (handler: AwsRequestHandler): AwsRequestHandler => ({
  ...handler,
  handle: async (request, options) => {
    const answer = await handler.handle(request, options);
    const { statusCode, headers } = answer.response;
    if (statusCode >= 300 || requestIdHeaders.some((name) => headers[name] !== undefined)) return answer;
    const type = headers['content-type'] ?? 'no content type';
    throw new UnreadableAnswerError(
      `${request.hostname} answered ${statusCode} (${type}) without a request id of AWS`,
      { httpStatusCode: statusCode },
    );
  },
});
