import type { HttpResult } from './http-call.ts';

/** An answer with a JSON body. `no-store`: a cached answer would show an old state. */
export const json = (
  statusCode: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpResult => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** An answer without a body. */
export const noContent = (): HttpResult => ({
  statusCode: 204,
  headers: { 'cache-control': 'no-store' },
  body: '',
});
