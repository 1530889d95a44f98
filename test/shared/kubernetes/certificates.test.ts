import { expect, test } from 'vitest';
import { clientRequest, now } from '../../../local/world/certificates/requests.ts';
import { isPending, signers } from '../../../shared/certificates/certificate-request.ts';
import { longestRequestBytes, readRequest } from '../../../shared/certificates/read-request.ts';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { certificateCalls } from '../../../shared/kubernetes/certificates.ts';
import { json, scriptedApi } from '../../support/scripted-api.ts';

const connections = {
  connect: async () => ({ server: 'https://api.prod', tls: {}, bearerToken: 'token' }),
  invalidate: () => undefined,
};
const approval = { type: 'Approved', reason: 'DroverApproved', message: 'Drover: it may' } as const;

test('an approval names the request as it was read, and keeps the conditions of others', async () => {
  const { sendHttp, requests } = scriptedApi(() => json(200, {}));
  const seen = { type: 'Seen', status: 'True', reason: 'Audit', message: 'seen' };
  const request = clientRequest('', { conditions: [{ ...seen, at: now }] });
  const calls = certificateCalls(createApi({ connections, sendHttp }));
  expect(await calls.approveOrDeny(request, approval)).toBe('written');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    metadata: { uid: request.uid, resourceVersion: request.resourceVersion },
    status: { conditions: [seen, { ...approval, status: 'True' }] },
  });
});

test.each([404, 409])('a write that the API server answers with %i does not fail', async (code) => {
  const { sendHttp } = scriptedApi(() =>
    json(code, { kind: 'Status', code, reason: code === 404 ? 'NotFound' : 'Conflict' }),
  );
  const calls = certificateCalls(createApi({ connections, sendHttp }));
  expect(await calls.approveOrDeny(clientRequest(''), approval)).toBe('changed-meanwhile');
});

test('a request that is being deleted, or whose certificate is issued, is over', async () => {
  const objectOf = (name: string, metadata: object, status: object) => ({
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-11-21T07:00:00Z',
      ...metadata,
    },
    spec: { request: '', signerName: signers.client },
    status,
  });
  const { sendHttp } = scriptedApi(({ url }) =>
    json(200, {
      metadata: {},
      items: url.includes('client-kubelet')
        ? [
            objectOf('pending', {}, { certificate: '' }),
            objectOf('deleted', { deletionTimestamp: '2026-11-21T07:01:00Z' }, {}),
            objectOf('issued', {}, { certificate: 'LS0t' }),
          ]
        : [],
    }),
  );
  const listed = await certificateCalls(createApi({ connections, sendHttp })).listRequests();
  expect(listed.map(({ name, over }) => [name, over])).toEqual([
    ['pending', undefined],
    ['deleted', 'it is being deleted'],
    ['issued', 'its certificate is issued'],
  ]);
  expect(listed.map(isPending)).toEqual([true, false, false]);
});

test('a request that is longer than a kubelet makes one is refused for its length, and its text is not kept', async () => {
  const objectOf = (name: string, length: number) => ({
    metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-11-21T07:00:00Z' },
    spec: { request: Buffer.alloc(length, 'x').toString('base64'), signerName: signers.client },
  });
  const { sendHttp } = scriptedApi(({ url }) =>
    json(200, {
      metadata: {},
      items: url.includes('client-kubelet')
        ? [objectOf('longest', longestRequestBytes), objectOf('a', 1_000_000), objectOf('b', 70_000)]
        : [],
    }),
  );
  const calls = certificateCalls(createApi({ connections, sendHttp }));
  const listed = await calls.listRequests();
  expect(listed.map(({ name, pem }) => [name, pem.length])).toEqual([
    ['longest', longestRequestBytes],
    ['a', longestRequestBytes + 1],
    ['b', longestRequestBytes + 1],
  ]);
  expect(readRequest(listed[1]?.pem ?? '')).toEqual({
    kind: 'unreadable',
    problem: `it is longer than ${longestRequestBytes} bytes`,
  });
});
