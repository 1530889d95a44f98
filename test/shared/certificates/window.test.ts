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
} from '../../../local/world/certificates/requests.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

const pem = await createPem();
const launchedAt = now - 3_600_000;
const instances = [instanceFacts({ launchedAt, rootVolumeAttachedAt: launchedAt })];
const madeAfter = (seconds: number) =>
  verdictOn(clientRequest(pem, { createdAt: launchedAt + seconds * 1000 }), { instances });

describe('a request with a shared token', () => {
  test.each([
    [-61, 'deny'],
    [-60, 'approve'],
    [0, 'approve'],
    [1800, 'approve'],
    [1801, 'later'],
  ])('made %i seconds after the launch, with a window of half an hour: %s', (seconds, kind) => {
    expect(madeAfter(seconds)).toMatchObject({ kind });
  });

  test('says how late it was made, in minutes', () => {
    expect(madeAfter(3600).reason).toContain('made 60 minutes after the launch');
    expect(madeAfter(3600).reason).toContain('outside the window of 30:');
  });
});

test('an instance whose launch EC2 does not tell has no window that a shared token could meet', () => {
  const unknown = instanceFacts({ launchedAt: undefined, rootVolumeAttachedAt: undefined });
  expect(verdictOn(clientRequest(pem), { instances: [unknown] })).toMatchObject({ kind: 'later' });
});

test('a name that no instance of the pinned VPC has is denied with the name of the VPC', () => {
  const vpcId = 'vpc-0123456789abcdef0';
  const request = clientRequest(pem, { createdAt: now - 600_000 });
  expect(verdictOn(request, { instances: [], settings: { ...settings, vpcId } })).toMatchObject({
    kind: 'deny',
    reason: `no instance of ${vpcId} has this name`,
  });
});

describe('a request for a name that no instance has', () => {
  test.each([
    [299, 'later'],
    [300, 'deny'],
  ])('after %i seconds: %s', (seconds, kind) => {
    const request = clientRequest(pem, { createdAt: now - seconds * 1000 });
    expect(verdictOn(request, { instances: [] })).toMatchObject({ kind });
  });
});

describe('a secondary address that the Node does not list yet', () => {
  test.each([
    [299, 'later'],
    [300, 'deny'],
  ])('after %i seconds: %s', async (seconds, kind) => {
    const names = await createPem({ ipAddresses: ['10.0.0.7'] });
    const request = servingRequest(names, { createdAt: now - seconds * 1000 });
    expect(verdictOn(request, { node: nodeFacts() })).toMatchObject({ kind });
  });
});

describe('a request that waits says what ends the wait', () => {
  const inState = (lifecycleState: string) => [instanceFacts({ group: { ...group, lifecycleState } })];
  const node = (facts: object) => ({ node: nodeFacts(facts) });
  test.each([
    ['a Node without a providerID', node({ instanceId: undefined }), 'once the cloud provider has set it'],
    [
      'a Node left over',
      node({ instanceId: 'i-0bbbbbbbbbbbbbbb2', instanceState: 'terminated' }),
      'once that Node is removed',
    ],
    [
      'a Node left over from an instance that is shutting down',
      node({ instanceId: 'i-0bbbbbbbbbbbbbbb2', instanceState: 'shutting-down' }),
      'once that Node is removed',
    ],
    ['an instance in Standby', { instances: inState('Standby') }, 'once the instance is back in service'],
    [
      'an instance that is stopping',
      { instances: [instanceFacts({ state: 'stopping' })] },
      'once the instance is back in service',
    ],
    ['a Node that AWS shows no cause for', node({ isReady: false, createdAt: now }), 'drover csr approve'],
    [
      'two instances of one name',
      { instances: [instanceFacts(), instanceFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2' })] },
      'drover csr approve',
    ],
  ])('%s', (_, facts, words) => {
    const verdict = verdictOn(clientRequest(pem), facts);
    expect(verdict.kind).toBe('later');
    expect(verdict.reason).toContain(words);
  });

  test('the kubelet must make its Node before it gets a serving certificate', async () => {
    const request = servingRequest(await createPem({ dnsNames: [nodeName] }));
    expect(verdictOn(request).reason).toContain('once the kubelet has made the Node');
  });

  test('an instance’s own credential needs no person', () => {
    const verdict = verdictOn(clientRequest(pem, instanceUser()), {
      node: nodeFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2' }),
    });
    expect(verdict).toMatchObject({ kind: 'later' });
    expect(verdict.reason).toContain('it is looked at again');
  });
});

describe('an approval says why', () => {
  const place = 'instance i-0aaaaaaaaaaaaaaa1 of group workers';
  test.each([
    ['a node', nodeUser(), `the node itself asks, and is ${place}`],
    ['an instance', instanceUser(), `${place} asks with its own credential`],
  ])('of %s', (_, user, reason) => {
    expect(verdictOn(clientRequest(pem, user), { node: nodeFacts() })).toMatchObject({
      kind: 'approve',
      reason,
    });
  });
});

test('the profile of another role is not pinned for this one, and one of several is enough', () => {
  const pin = (role: 'worker' | 'control-plane', instanceProfile: string) => ({ role, instanceProfile });
  const verdictWith = (...instanceProfiles: ReturnType<typeof pin>[]) =>
    verdictOn(clientRequest(pem), { settings: { ...settings, instanceProfiles } }).kind;
  expect(verdictWith(pin('control-plane', 'masters'))).toBe('approve');
  expect(verdictWith(pin('control-plane', 'workers'), pin('worker', 'other'))).toBe('deny');
  expect(verdictWith(pin('worker', 'other'), pin('worker', 'workers'))).toBe('approve');
});

test('a refusal of pins names what is missing', () => {
  const reasonOf = (facts: object, profiles = settings.instanceProfiles) =>
    verdictOn(clientRequest(pem), {
      instances: [instanceFacts(facts)],
      settings: { ...settings, instanceProfiles: profiles },
    }).reason;
  expect(reasonOf({ groupTag: undefined })).toContain('is missing, not workers');
  expect(reasonOf({ groupTag: 'others' })).toContain('is others, not workers');
  const pinned = [{ role: 'worker', instanceProfile: 'own' }] as const;
  expect(reasonOf({ instanceProfileArn: undefined }, pinned)).toContain('is missing, not one of role worker');
});
