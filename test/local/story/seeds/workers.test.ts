import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { expect, test } from 'vitest';
import { type RequestView, requestsInOrder } from '../../../../local/story/request-view.ts';
import { certificatesOfNewest } from '../../../../local/story/seeds/workers.ts';
import { signers } from '../../../../shared/certificates/certificate-request.ts';
import { calmView } from '../views.ts';

const [older = '', newer = ''] = calmView.nodes.map(({ name }) => name);
const bootstrap = 'system:bootstrap:a';
const approved = { type: 'Approved', reason: 'DroverApproved', message: 'it is i-2' };

const request = (
  nodeName: string,
  kind: RequestView['kind'],
  decision?: RequestView['decision'],
  requester = kind === 'client' ? bootstrap : `system:node:${nodeName}`,
): RequestView => ({
  name: `${nodeName}-${kind}`,
  requester,
  kind,
  nodeName,
  ...(decision && { decision }),
});

const both = (nodeName: string) => [
  request(nodeName, 'client', approved),
  request(nodeName, 'serving', approved),
];

const seen = (...requests: readonly RequestView[]) =>
  certificatesOfNewest({ view: { ...calmView, requests } });

test('the newest node has its certificates once Drover has approved both', () => {
  expect(seen(...both(older), ...both(newer))).toBe(
    'the client certificate and the serving certificate of ip-2 are approved: it is i-2',
  );
});

test.each([
  ['waits for its client certificate', [request(newer, 'client')]],
  ['waits for its serving certificate', [request(newer, 'client', approved), request(newer, 'serving')]],
  [
    'was approved by another approver',
    both(newer).map((one) => ({ ...one, decision: { ...approved, reason: 'AutoApproved' } })),
  ],
])('the certificates of an older node do not count while the newest %s', (_, requests) => {
  expect(seen(...both(older), ...requests)).toBeUndefined();
  const [client, ...others] = requests;
  // The older node asks for its serving certificate after the newest has asked to join.
  expect(
    seen(request(older, 'client', approved), ...(client ? [client] : []), ...both(older).slice(1), ...others),
  ).toBeUndefined();
});

test('neither a renewal nor a denied request makes a node the newest', () => {
  const renewal = request(older, 'client', undefined, `system:node:${older}`);
  const denied = request(older, 'client', { type: 'Denied', reason: 'DroverDenied', message: '' });
  expect(seen(...both(newer), renewal, denied)).toContain('of ip-2 are approved');
});

test('requests are read oldest first, whatever their names', () => {
  const { secretBytes } = createRandom(1);
  const made = (name: string, nodeName: string, creationTimestamp: string) => ({
    metadata: { name, creationTimestamp },
    spec: {
      request: Buffer.from(
        createCertificateRequest({
          key: createKey(secretBytes),
          subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
        }),
      ).toString('base64'),
      signerName: signers.client,
      usages: ['digital signature', 'client auth'],
    },
  });
  const listed = [made('csr-a', newer, '2026-01-01T00:00:09Z'), made('csr-b', older, '2026-01-01T00:00:01Z')];
  expect(requestsInOrder(listed).map(({ nodeName }) => nodeName)).toEqual([older, newer]);
});
