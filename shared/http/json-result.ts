import type { HttpResult } from './http-call.ts';

/** An answer with a JSON body. Nothing that is shown here may be shown again later as if it were now. */
export const json = (
  statusCode: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpResult => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});
