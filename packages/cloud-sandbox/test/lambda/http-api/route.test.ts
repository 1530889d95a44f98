import { describe, expect, test } from 'vitest';
import type { RouteWiring } from '../../../src/cloud/wiring.ts';
import { findRoute } from '../../../src/lambda/http-api/route.ts';

const route = (routeKey: string): RouteWiring => ({
  routeKey,
  functionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:f',
  authorizationType: 'AWS_IAM',
  timeoutMilliseconds: 30_000,
});

const routes = [
  '$default',
  'ANY /{proxy+}',
  'GET /groups',
  'ANY /groups/{group}',
  'GET /groups/{group}',
  'PUT /groups/{group}/capacity',
  'GET /files/{path+}',
].map(route);

describe('the most specific route gets a request', () => {
  test.each([
    ['GET', '/groups', 'GET /groups', {}],
    ['GET', '/groups/workers', 'GET /groups/{group}', { group: 'workers' }],
    ['DELETE', '/groups/workers', 'ANY /groups/{group}', { group: 'workers' }],
    ['GET', '/groups/my%20workers', 'GET /groups/{group}', { group: 'my workers' }],
    ['PUT', '/groups/workers/capacity', 'PUT /groups/{group}/capacity', { group: 'workers' }],
    ['GET', '/files/a/b/c', 'GET /files/{path+}', { path: 'a/b/c' }],
    ['POST', '/files/a/b/c', 'ANY /{proxy+}', { proxy: 'files/a/b/c' }],
    ['GET', '/', '$default', {}],
    ['GET', '/groups/%zz', 'ANY /{proxy+}', { proxy: 'groups/%zz' }],
  ])('%s %s -> %s', (method, path, routeKey, pathParameters) => {
    const match = findRoute(routes, method, path);
    expect(match?.route.routeKey).toBe(routeKey);
    expect(match?.pathParameters).toEqual(pathParameters);
  });
});

test('a path without a route is not part of the API', () => {
  expect(findRoute([route('GET /groups')], 'GET', '/groups/')).toBeUndefined();
  expect(findRoute([route('GET /groups')], 'POST', '/groups')).toBeUndefined();
});
