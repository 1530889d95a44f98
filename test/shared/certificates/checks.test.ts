import { describe, expect, test } from 'vitest';
import { group, instanceFacts, nodeFacts, settings } from '../../../local/world/certificates/facts.ts';
import {
  clientRequest,
  createPem,
  instanceUser,
  nodeName,
  nodeUser,
  now,
  servingRequest,
  tokenUser,
} from '../../../local/world/certificates/requests.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

const clientPem = await createPem();
const ready = { node: nodeFacts() };
const approved = { kind: 'approve', check: 'approval' };

describe('the requester', () => {
  test.each([
    ['a person', { username: 'ana', groups: ['system:authenticated'] }],
    [
      'a bootstrap token of another tool',
      { ...tokenUser, groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'] },
    ],
    [
      'a token outside the group of bootstrappers',
      { ...tokenUser, groups: ['system:bootstrappers:drover:worker'] },
    ],
    ['a user that only looks like a token', { ...tokenUser, username: 'system:bootstrap:abcdef0' }],
    ['a node outside system:nodes', { ...nodeUser(), groups: ['system:authenticated'] }],
    [
      'the node-bootstrapper of OpenShift 3.11, which asks on no version that Drover supports',
      {
        username: 'system:serviceaccount:openshift-infra:node-bootstrapper',
        groups: ['system:serviceaccounts'],
      },
    ],
    ['an instance whose identity is not in extra', { ...instanceUser(), extra: {} }],
    [
      'an instance with another identity in extra',
      { ...instanceUser(), extra: { 'drover.dev/instance-id': ['i-0bbbbbbbbbbbbbbb2'] } },
    ],
    [
      'an instance with two identities in extra',
      {
        ...instanceUser(),
        extra: { 'drover.dev/instance-id': ['i-0aaaaaaaaaaaaaaa1', 'i-0bbbbbbbbbbbbbbb2'] },
      },
    ],
  ])('%s is left to other approvers', (_, user) => {
    expect(verdictOn(clientRequest(clientPem, user))).toMatchObject({ kind: 'not-ours', check: 'scope' });
  });

  test('another signer, and a decided request, are left alone', () => {
    expect(
      verdictOn(clientRequest(clientPem, { signerName: 'kubernetes.io/kube-apiserver-client' })),
    ).toMatchObject({ kind: 'not-ours' });
    for (const type of ['Approved', 'Denied', 'Failed'])
      expect(
        verdictOn(
          clientRequest(clientPem, {
            conditions: [{ type, status: 'True', reason: 'X', message: '', at: now }],
          }),
        ),
      ).toMatchObject({ kind: 'not-ours' });
  });
});

describe('the form of the signers', () => {
  test.each([
    ['a second organization', 'O=system:nodes,O=system:masters', 'subject'],
    ['another organization', `O=system:masters,CN=system:node:${nodeName}`, 'organization'],
    ['no organization', `CN=system:node:${nodeName}`, 'subject'],
    ['a unit beside', `O=system:nodes,OU=x,CN=system:node:${nodeName}`, 'subject'],
    ['two common names', `O=system:nodes,CN=system:node:${nodeName},CN=system:node:b`, 'subject'],
    ['several values in one name', `O=system:nodes+CN=system:node:${nodeName}`, 'subject'],
    ['no node', 'O=system:nodes,CN=system:node:', 'common name'],
    ['the name of a user', 'O=system:nodes,CN=ana', 'common name'],
    ['a name in capitals', 'O=system:nodes,CN=system:node:IP-10-0-0-1', 'common name'],
    ['a name with a line break', 'O=system:nodes,CN=system:node:a\\0Ab', 'common name'],
  ])('%s is denied', async (_, subject, word) => {
    const verdict = verdictOn(clientRequest(await createPem({ subject })));
    expect(verdict).toMatchObject({ kind: 'deny' });
    expect(verdict.reason).toContain(word);
  });

  test.each([
    ['DNS names', { dnsNames: [nodeName] }],
    ['addresses', { ipAddresses: ['10.0.0.1'] }],
    ['e-mail addresses', { emails: ['a@example.org'] }],
    ['URIs', { uris: ['spiffe://a'] }],
  ])('a client certificate with %s is denied', async (_, names) => {
    expect(verdictOn(clientRequest(await createPem(names)))).toMatchObject({ kind: 'deny', check: 'form' });
  });

  test.each([
    ['an e-mail address', { dnsNames: [nodeName], emails: ['a@example.org'] }],
    ['a URI', { dnsNames: [nodeName], uris: ['spiffe://a'] }],
    ['no name at all', {}],
  ])('a serving certificate with %s is denied', async (_, names) => {
    expect(verdictOn(servingRequest(await createPem(names)), ready)).toMatchObject({
      kind: 'deny',
      check: 'form',
    });
  });

  test.each([
    [['digital signature', 'client auth'], 'approve'],
    [['client auth', 'key encipherment', 'digital signature'], 'approve'],
    [['client auth'], 'deny'],
    [['digital signature', 'client auth', 'server auth'], 'deny'],
    [['digital signature', 'client auth', 'client auth'], 'deny'],
    [['digital signature', 'server auth'], 'deny'],
    [['digital signature', 'client auth', 'cert sign'], 'deny'],
    [['any'], 'deny'],
    [[], 'deny'],
  ])('usages %j of a client certificate: %s', (usages, kind) => {
    expect(verdictOn(clientRequest(clientPem, { usages }))).toMatchObject({ kind });
  });
});

describe('the key', () => {
  const rsa = (modulusLength: number, hash = 'SHA-256') => ({
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash,
  });
  test.each([
    ['RSA of 2048 bits', rsa(2048), 'approve'],
    ['RSA of 1024 bits', rsa(1024), 'deny'],
    ['RSA signed with SHA-1', rsa(2048, 'SHA-1'), 'deny'],
    ['RSA-PSS', { ...rsa(2048), name: 'RSA-PSS', saltLength: 32 }, 'deny'],
    ['P-384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }, 'approve'],
    ['P-521', { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' }, 'approve'],
    ['Ed25519', { name: 'Ed25519' }, 'approve'],
  ])('%s: %s', async (_, algorithm, kind) => {
    expect(verdictOn(clientRequest(await createPem({ algorithm })))).toMatchObject({ kind });
  });

  test('a request that its own key has not signed is denied', async () => {
    const der = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    const bytes = der(await createPem());
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(verdictOn(clientRequest(pem))).toMatchObject({ kind: 'deny', check: 'key' });
  });
});

describe('the lifetime', () => {
  test.each([
    [undefined, 'approve'],
    [86_400, 'approve'],
    [366 * 86_400, 'approve'],
    [367 * 86_400, 'deny'],
    [3650 * 86_400, 'deny'],
  ])('%s seconds: %s', (expirationSeconds, kind) => {
    expect(verdictOn(clientRequest(clientPem, { expirationSeconds }))).toMatchObject({ kind });
  });
});

describe('pins', () => {
  const request = clientRequest(clientPem);
  test.each([
    ['another account', instanceFacts({ accountId: '999999999999' }), settings],
    ['a group that AWS’s own tag does not name', instanceFacts({ groupTag: 'others' }), settings],
    ['no tag of AWS', instanceFacts({ groupTag: undefined }), settings],
    [
      'another profile than that of its role',
      instanceFacts(),
      { ...settings, instanceProfiles: [{ role: 'worker', instanceProfile: 'own-workers' } as const] },
    ],
    [
      'no profile',
      instanceFacts({ instanceProfileArn: undefined }),
      { ...settings, instanceProfiles: [{ role: 'worker', instanceProfile: 'workers' } as const] },
    ],
  ])('an instance with %s is refused', (_, instance, pinned) => {
    expect(verdictOn(request, { instances: [instance], settings: pinned })).toMatchObject({
      kind: 'deny',
      check: 'pins',
    });
  });

  test('an instance with the profile of its role passes, by name and by ARN', () => {
    for (const instanceProfile of ['workers', 'arn:aws:iam::123456789012:instance-profile/nodes/workers'])
      expect(
        verdictOn(request, {
          settings: { ...settings, instanceProfiles: [{ role: 'worker', instanceProfile }] },
        }),
      ).toMatchObject(approved);
  });

  test('the profile of another role is not enough', () => {
    const instanceProfiles = [
      { role: 'worker', instanceProfile: 'own-workers' },
      { role: 'etcd', instanceProfile: 'workers' },
    ] as const;
    expect(verdictOn(request, { settings: { ...settings, instanceProfiles } })).toMatchObject({
      kind: 'deny',
      check: 'pins',
    });
  });

  test('a pinned VPC hides instances of the same name elsewhere', () => {
    const vpcId = 'vpc-0123456789abcdef0';
    const elsewhere = instanceFacts({ instanceId: 'i-0cccccccccccccccc', vpcId: 'vpc-0bbbbbbbbbbbbbbbb' });
    const instances = [instanceFacts(), elsewhere];
    expect(verdictOn(request, { instances })).toMatchObject({ kind: 'later' });
    expect(verdictOn(request, { instances, settings: { ...settings, vpcId } })).toMatchObject(approved);
  });

  test('a worker’s token cannot ask for the name of a control plane', () => {
    const instances = [instanceFacts({ group: { ...group, role: 'control-plane' } })];
    expect(verdictOn(request, { instances })).toMatchObject({ kind: 'deny', check: 'credential' });
  });
});

describe('the addresses of a serving certificate', () => {
  const verdict = async (names: object, facts: object = {}) =>
    verdictOn(servingRequest(await createPem(names)), { ...ready, ...facts });
  const listed = { node: nodeFacts({ addresses: ['10.0.0.1', '10.0.0.7'] }) };

  test.each([
    ['its private DNS name', { dnsNames: [nodeName] }],
    ['its DNS name in capitals', { dnsNames: [nodeName.toUpperCase()] }],
    ['its primary addresses', { ipAddresses: ['10.0.0.1', '2001:db8::1'] }],
    ['an IPv6 address in its long form', { ipAddresses: ['2001:0db8:0:0:0:0:0:1'] }],
  ])('%s is approved', async (_, names) => {
    expect(await verdict(names)).toMatchObject(approved);
  });

  test.each([
    ['the DNS name of another', { dnsNames: [nodeName, 'ip-10-0-0-2.eu-west-1.compute.internal'] }],
    ['a name that begins with its own', { dnsNames: [`${nodeName}.example.org`] }],
    ['a wildcard', { dnsNames: ['*.eu-west-1.compute.internal'] }],
    ['a foreign address beside its own', { ipAddresses: ['10.0.0.1', '10.0.0.2'] }],
    ['its address inside an IPv6 address', { ipAddresses: ['::ffff:10.0.0.1'] }],
    ['its public address', { ipAddresses: ['203.0.113.1'] }],
    ['its public DNS name', { dnsNames: ['ec2-203-0-113-1.eu-west-1.compute.amazonaws.com'] }],
    ['loopback', { ipAddresses: ['127.0.0.1'] }],
  ])('%s is denied', async (_, names) => {
    expect(await verdict(names)).toMatchObject({ kind: 'deny', check: 'addresses' });
  });

  test('public ones pass where the deployment allows them', async () => {
    const names = {
      ipAddresses: ['203.0.113.1'],
      dnsNames: ['ec2-203-0-113-1.eu-west-1.compute.amazonaws.com'],
    };
    expect(await verdict(names, { settings: { ...settings, publicAddresses: true } })).toMatchObject(
      approved,
    );
  });

  test('a secondary address, which a pod may have, passes only where the Node’s status lists it', async () => {
    const names = { ipAddresses: ['10.0.0.1', '10.0.0.7'] };
    expect(await verdict(names, listed)).toMatchObject(approved);
    expect(await verdict(names)).toMatchObject({ kind: 'later' });
    expect(await verdict(names, { now: now + 600_000 })).toMatchObject({ kind: 'deny' });
    const strict = { settings: { ...settings, primaryAddressesOnly: true } };
    expect(await verdict(names, { ...listed, ...strict })).toMatchObject({ kind: 'deny' });
  });

  test('an address that only the Node’s status lists is denied: a node writes its own status', async () => {
    const node = nodeFacts({ addresses: ['10.0.0.1', '10.0.0.99'] });
    expect(await verdict({ ipAddresses: ['10.0.0.99'] }, { node })).toMatchObject({ kind: 'deny' });
  });

  test('an older request of the node is superseded by a newer one', async () => {
    const rivals = [
      { requestName: 'newer', requester: 'node', createdAt: now, approvedAt: undefined } as const,
    ];
    expect(await verdict({ dnsNames: [nodeName] }, { rivals })).toMatchObject({
      kind: 'deny',
      check: 'keys',
    });
  });
});

test('a serving certificate is not superseded by a newer one that is approved', async () => {
  const rivals = [{ requestName: 'newer', requester: 'node', createdAt: now, approvedAt: now } as const];
  const request = servingRequest(await createPem({ dnsNames: [nodeName] }));
  expect(verdictOn(request, { ...ready, rivals })).toMatchObject(approved);
});
