import { describe, expect, it } from 'vitest';
import { isWrite } from '../../src/cloud/is-write.ts';
import type { CallInFlight, Strike } from '../../src/cloud/strike.ts';
import {
  attributesOfCall,
  deniedByWebhook,
  etcdTimedOut,
  forbiddenByRbac,
  requestTimedOut,
  tooManyRequests,
  webhookUnreachable,
} from '../../src/kubernetes/refusals.ts';
import { createSandbox } from '../../src/sandbox.ts';

const call = (to: CallInFlight['to'], what: string) => ({ to, what });

it.each([
  [call('aws', 'autoscaling DescribeAutoScalingGroups'), false],
  [call('aws', 'sqs ReceiveMessage'), false],
  [call('aws', 'autoscaling RecordLifecycleActionHeartbeat'), true],
  [call('aws', 'sqs ChangeMessageVisibilityBatch'), true],
  [call('kubernetes', 'GET /api/v1/nodes?resourceVersion=0'), false],
  [call('kubernetes', 'PATCH /api/v1/nodes/a'), true],
  [call('kubernetes', 'POST /api/v1/namespaces/default/pods/a/eviction'), true],
  [call('kubernetes', 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews'), false],
  [call('etcd', 'POST /v3/cluster/member/list'), false],
  [call('etcd', 'GET /health'), false],
  [call('etcd', 'POST /v3/cluster/member/remove'), true],
])('of %o it is said whether it writes: %s', (one, writes) => {
  expect(isWrite(one)).toBe(writes);
});

it('a server that is half away answers reads and refuses writes', async () => {
  const strike = (one: CallInFlight): Strike | undefined => (isWrite(one) ? etcdTimedOut() : undefined);
  const { fetch } = createSandbox({ weather: { strike } });
  expect((await fetch('/api/v1/nodes')).status).toBe(200);
  const refused = await fetch('/api/v1/namespaces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'made' } }),
  });
  expect(refused.status).toBe(500);
  expect((await fetch('/api/v1/namespaces/made')).status).toBe(404);
});

describe('a refusal', () => {
  const bodyOf = ({ body }: { readonly body: string }): unknown => JSON.parse(body);
  const failure = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };

  it('can fall on one verb of one resource', () => {
    expect(attributesOfCall('DELETE /api/v1/namespaces/default/pods/web')).toMatchObject({
      verb: 'delete',
      resource: 'pods',
      namespace: 'default',
      name: 'web',
    });
    expect(attributesOfCall('POST /api/v1/namespaces/default/pods/web/eviction')).toMatchObject({
      verb: 'create',
      resource: 'pods',
      subresource: 'eviction',
    });
  });

  it('of RBAC is the one that the server gives a user without the right', async () => {
    const path = '/api/v1/namespaces/default/pods/web';
    const { kubernetes, fetch } = createSandbox();
    const token = kubernetes.addToken({ username: 'drover', groups: ['system:authenticated'] });
    const headers = { authorization: `Bearer ${token}` };
    const real = await fetch(path, { method: 'DELETE', headers });
    const refusal = forbiddenByRbac({ what: `DELETE ${path}`, username: 'drover' });
    expect(refusal.status).toBe(real.status);
    expect(bodyOf(refusal)).toEqual(await real.json());
  });

  it('of an admission webhook names the webhook and its reason', () => {
    expect(bodyOf(deniedByWebhook({ webhook: 'guard.example.com', why: 'no deletions on Fridays' }))).toEqual(
      {
        ...failure,
        message: 'admission webhook "guard.example.com" denied the request: no deletions on Fridays',
        reason: 'Forbidden',
        code: 403,
      },
    );
  });

  it('by a webhook that cannot be reached is an internal error with its cause', () => {
    const message =
      'failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.ops.svc:443/?timeout=10s": context deadline exceeded';
    const why = 'Post "https://guard.ops.svc:443/?timeout=10s": context deadline exceeded';
    expect(bodyOf(webhookUnreachable({ webhook: 'guard.example.com', why }))).toEqual({
      ...failure,
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    });
  });

  it('of a request that took too long has empty details', () => {
    expect(bodyOf(requestTimedOut())).toMatchObject({ reason: 'Timeout', details: {}, code: 504 });
  });

  it('of too many requests is text and says when to come back', () => {
    expect(tooManyRequests()).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  });
});
