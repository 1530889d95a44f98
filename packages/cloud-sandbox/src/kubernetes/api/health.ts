import { pageNotFound } from './pages.ts';
import type { ApiResponse } from './request.ts';

/** Of the checks of the real server those that say something here. */
const checks = ['ping', 'log', 'etcd', 'informer-sync', 'shutdown'];

/** `/healthz`, `/livez`, `/readyz`, one check of them, or all in words with `?verbose`. */
export function answerHealth(path: string, query: URLSearchParams): ApiResponse {
  const [, name = '', check] = path.split('/');
  if (check !== undefined && check !== '' && !checks.includes(check)) return pageNotFound();
  const lines = checks.map((one) => `[+]${one} ok\n`).join('');
  return text(query.has('verbose') ? `${lines}${name} check passed\n` : 'ok');
}

const text = (body: string): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body,
});
