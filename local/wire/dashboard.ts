import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the page polls. */
export interface DashboardSource {
  /** Plain data. */
  readonly state: () => object;
}

const root = new URL('../../ui/', import.meta.url);

/** The files of `ui/`, by their path. */
const pages: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/dashboard.css': { file: 'dashboard.css', type: 'text/css; charset=utf-8' },
  '/dashboard.js': { file: 'dashboard.js', type: 'text/javascript; charset=utf-8' },
};

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'self'",
  'x-content-type-options': 'nosniff',
};

/** The dashboard: a page that polls `/state.json`. It only shows. */
export async function answerDashboard(
  request: IncomingMessage,
  response: ServerResponse,
  { state }: DashboardSource,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const page = pages[path];
  if (path === '/state.json') {
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(state()));
  } else if (page) {
    const content = await readFile(new URL(page.file, root));
    response.writeHead(200, { ...headers, 'content-type': page.type }).end(content);
  } else {
    response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end('Not found\n');
  }
}
