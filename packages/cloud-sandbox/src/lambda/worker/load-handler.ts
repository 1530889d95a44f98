import type { LambdaHandler } from '../function-host.ts';
import { runtimeError } from '../reported-error.ts';
import { loadBundle } from './load-bundle.ts';
import type { WorkerStart } from './messages.ts';

/**
 * The function in a bundle that Lambda would call.
 *
 * @throws what the module throws, by the names that Node's runtime gives it; Runtime.HandlerNotFound;
 * Runtime.CallbackHandlerDeprecated for a third parameter, which Node 24 on Lambda takes for a callback.
 */
export function loadHandler(start: Pick<WorkerStart, 'code' | 'fileName' | 'handler' | 'exportPath'>) {
  const found = start.exportPath.reduce(memberOf, load(start));
  if (!found) throw runtimeError('Runtime.HandlerNotFound', `${start.handler} is undefined or not exported`);
  if (typeof found !== 'function')
    throw runtimeError('Runtime.HandlerNotFound', `${start.handler} is not a function`);
  if (found.length > 2)
    throw runtimeError(
      'Runtime.CallbackHandlerDeprecated',
      'AWS Lambda has no callback-based function handlers from Node.js 24 on: a handler has two parameters',
    );
  return found as LambdaHandler;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function load(start: Parameters<typeof loadBundle>[0]): unknown {
  try {
    return loadBundle(start);
  } catch (error) {
    if (error instanceof SyntaxError) throw runtimeError('Runtime.UserCodeSyntaxError', String(error));
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      throw runtimeError('Runtime.ImportModuleError', String(error));
    throw error;
  }
}
