import { answerDiscovery, isGroup } from './discovery.ts';
import { methodNotAllowed, noSuchResource } from './errors.ts';
import { answerHealth } from './health.ts';
import { answerOpenApi } from './openapi.ts';
import { pageNotFound } from './pages.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import type { PathRoute } from './route.ts';

const serverVersion = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.4',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'linux/amd64',
};

const healthPath = /^\/(healthz|livez|readyz)(\/|$)/;

/** Answers what is not a resource: health, version, discovery, OpenAPI. Throws 404 below an API, 405 for what is only read. */
export function answerPath({ path, verb, query }: PathRoute, accept: string): ApiResponse {
  if (healthPath.test(path)) return answerHealth(path, query);
  const answered =
    path === '/version'
      ? jsonResponse(200, serverVersion)
      : (answerDiscovery(path, accept) ?? answerOpenApi(path));
  if (answered !== undefined && verb !== 'get' && verb !== 'head') throw methodNotAllowed();
  if (answered !== undefined) return answered;
  if (isBelowApi(path)) throw noSuchResource();
  return pageNotFound();
}

function isBelowApi(path: string): boolean {
  const [, root, group] = path.split('/');
  return root === 'api' || (root === 'apis' && isGroup(group ?? ''));
}
