import { hostOf, operationOf } from './no-answer.ts';
import type { AwsRequestHandler } from './request-handler.ts';
import { UnreadableAnswerError } from './unreadable-answer.ts';

/** S3 and the other services spell it differently. */
const requestIdHeaders = ['x-amzn-requestid', 'x-amzn-request-id', 'x-amz-request-id'];

/**
 * Rejects what AWS has not answered: the SDK would take a proxy's page of HTML for "done", and the error of a proxy for one named
 * "Unknown". AWS gives each answer a request id.
 *
 * @throws UnreadableAnswerError
 */
export const answeredByAws = (handler: AwsRequestHandler): AwsRequestHandler => ({
  ...handler,
  handle: async (request, options) => {
    const answer = await handler.handle(request, options);
    const { statusCode, headers } = answer.response;
    const type = headers['content-type'] ?? 'no content type';
    const isErrorOfService = statusCode >= 300 && !type.startsWith('text/html');
    if (isErrorOfService || requestIdHeaders.some((name) => headers[name] !== undefined)) return answer;
    throw new UnreadableAnswerError(
      `${hostOf(request)} answered ${operationOf(request)} with ${statusCode} (${type}), without a request id of AWS`,
      { httpStatusCode: statusCode },
    );
  },
});
