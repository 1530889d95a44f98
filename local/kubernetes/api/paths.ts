import { answerDiscovery } from './discovery.ts';
import { noSuchResource } from './errors.ts';
import { answerOpenApi } from './openapi.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import type { PathRoute } from './route.ts';

const serverVersion = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.4',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
};

/** Answers what is no resource: health, version, discovery, OpenAPI. Throws 404. */
export function answerPath({ path }: PathRoute, accept: string): ApiResponse {
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path))
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' };
  if (path === '/version') return jsonResponse(200, serverVersion);
  const answered = answerDiscovery(path, accept) ?? answerOpenApi(path);
  if (answered === undefined) throw noSuchResource();
  return answered;
}
