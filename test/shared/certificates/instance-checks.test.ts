import { describe, expect, test } from 'vitest';
import { group, instanceFacts, nodeFacts, settings } from '../../../local/world/certificates/facts.ts';
import {
  clientRequest,
  createPem,
  instanceUser,
  nodeName,
  now,
  servingRequest,
} from '../../../local/world/certificates/requests.ts';
import { signers } from '../../../shared/certificates/certificate-request.ts';
import { addressesCheck } from '../../../shared/certificates/instance-checks.ts';
import type { Case } from '../../../shared/certificates/verdict.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

const clientPem = await createPem();
const ready = { node: nodeFacts() };
const approved = { kind: 'approve', check: 'approval' };

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
    expect(verdictOn(request, { instances })).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining('set nodeVpcId to the VPC of the nodes'),
    });
    expect(verdictOn(request, { instances, settings: { ...settings, vpcId } })).toMatchObject(approved);
  });

  test('a stranger with the name of an instance that EC2 does not list yet denies nothing for five minutes', () => {
    const stranger = instanceFacts({ instanceId: 'i-0cccccccccccccccc', group: undefined });
    const verdict = (seconds: number) =>
      verdictOn(clientRequest(clientPem, { ...instanceUser(), createdAt: now - seconds * 1000 }), {
        instances: [stranger],
      });
    expect(verdict(299)).toMatchObject({ kind: 'later', check: 'credential' });
    expect(verdict(301)).toMatchObject({ kind: 'deny', check: 'credential' });
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

  test('public ones pass if the deployment allows them', async () => {
    const names = {
      ipAddresses: ['203.0.113.1'],
      dnsNames: ['ec2-203-0-113-1.eu-west-1.compute.amazonaws.com'],
    };
    expect(await verdict(names, { settings: { ...settings, publicAddresses: true } })).toMatchObject(
      approved,
    );
  });

  test('a secondary address, which a pod may have, passes only if the Node’s status lists it', async () => {
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

const foreign = '10.9.9.9';
const check = (changes: Partial<Case>, ipAddresses: readonly string[] = [foreign]) =>
  addressesCheck({
    request: { signerName: signers.serving, createdAt: now },
    read: { names: { dnsNames: [], ipAddresses } },
    situation: { kind: 'node-ready', reason: '', instance: instanceFacts(), since: now },
    node: nodeFacts(),
    settings,
    now,
    ...changes,
  } as Case);

describe('the check of addresses', () => {
  test('denies a foreign address', () => {
    expect(check({})).toMatchObject({ kind: 'deny' });
  });

  test('ignores a client certificate, whose form forbids addresses', () => {
    const request = { signerName: signers.client, createdAt: now } as Case['request'];
    expect(check({ request })).toBeUndefined();
  });

  test('ignores a name without an instance, which an earlier check has judged', () => {
    expect(check({ situation: { kind: 'no-instance', reason: '' } })).toBeUndefined();
  });

  test('waits for a secondary address while the Node does not exist', () => {
    expect(check({ node: undefined }, ['10.0.0.7'])).toMatchObject({ kind: 'later' });
    expect(check({ node: undefined, now: now + 300_000 }, ['10.0.0.7'])).toMatchObject({ kind: 'deny' });
  });

  test('names the first address that it denies, and no other', () => {
    expect(check({}, ['10.0.0.1', foreign, '10.8.8.8'])).toMatchObject({
      reason: expect.stringMatching(/^address 10\.9\.9\.9 is not one of instance/),
    });
  });
});
