import { FunctionError } from './runtime.ts';

/** "6 MB each for request and response (synchronous)", and what Lambda itself puts around it (Lambda quotas). */
export const maximumResponseBytes = 6 * 1024 * 1024 + 100;

/** The function's process has ended by itself. `requestId`: of the invocation that was under way. */
export function exitError(code: number, requestId?: string): FunctionError {
  const how = code === 0 ? 'without providing a reason' : `with error: exit status ${code}`;
  const request = requestId === undefined ? '' : `RequestId: ${requestId} `;
  return new FunctionError({
    errorType: 'Runtime.ExitError',
    message: `${request}Error: Runtime exited ${how}`,
    trace: [],
  });
}

export const responseTooLarge = (): FunctionError =>
  new FunctionError({
    errorType: 'Function.ResponseSizeTooLarge',
    message: `Response payload size exceeded maximum allowed payload size (${maximumResponseBytes} bytes).`,
    trace: [],
  });

export const timeoutMessage = (requestId: string, timeoutSeconds: number): string =>
  `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`;
