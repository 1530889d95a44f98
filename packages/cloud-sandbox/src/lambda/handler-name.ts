import { runtimeError } from './reported-error.ts';

/** `src/index.api.handler` is the function `handler` in `api` of what `index` in the folder `src` exports. */
export interface HandlerName {
  /** With its slash at the end; empty: the root of the zip. */
  readonly folder: string;
  readonly module: string;
  readonly exportPath: readonly string[];
}

/** @throws Runtime.MalformedHandlerName, as Node's runtime does. */
export function parseHandlerName(handler: string): HandlerName {
  if (handler.includes('..'))
    throw runtimeError('Runtime.MalformedHandlerName', `'${handler}' is not a valid handler name`);
  const parts = /^(?<folder>(?:.*\/)?)(?<module>[^./]*)\.(?<exports>[^/]*)$/.exec(handler)?.groups;
  if (!parts) throw runtimeError('Runtime.MalformedHandlerName', 'Bad handler');
  const { folder = '', module = '', exports = '' } = parts;
  return { folder, module, exportPath: exports.split('.') };
}
