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
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import { conclude, judge } from '../../../shared/certificates/decide.ts';
import type { InstanceFacts, NodeFacts, OtherNode } from '../../../shared/certificates/facts.ts';
import { readRequest } from '../../../shared/certificates/read-request.ts';
import type { Rival, VerdictKind } from '../../../shared/certificates/verdict.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

interface World {
  readonly instances?: readonly InstanceFacts[];
  readonly node?: NodeFacts;
  readonly otherNode?: OtherNode;
  readonly rivals?: readonly Rival[];
  readonly request?: Partial<CertificateRequest>;
}

const clientPem = await createPem();
const servingPem = await createPem({ dnsNames: [nodeName], ipAddresses: ['10.0.0.1'] });

const credentials = { token: {}, instance: instanceUser(), node: nodeUser() } as const;
type Credential = keyof typeof credentials | 'serving';

function verdictIn(credential: Credential, world: World) {
  const request =
    credential === 'serving'
      ? servingRequest(servingPem, world.request)
      : clientRequest(clientPem, { ...world.request, ...credentials[credential] });
  const { instances = [instanceFacts()], node, otherNode, rivals = [] } = world;
  // Rivals are requests for the same signer.
  return conclude(
    judge({ request, read: () => readRequest(request.pem), instances, node, otherNode, settings, now }),
    credential === 'serving' ? [] : rivals,
  );
}

const launchedLongAgo = { launchedAt: now - 86_400_000, rootVolumeAttachedAt: now - 86_400_000 };
const oldNode = nodeFacts({ createdAt: now - 80_000_000 });
const notReady = { ...oldNode, isReady: false };
const stranger = instanceFacts({
  instanceId: 'i-0dddddddddddddddd',
  vpcId: 'vpc-0bbbbbbbbbbbbbbbb',
  group: undefined,
  groupTag: undefined,
});
const inService = { ...group, lifecycleState: 'InService' };
const rival = (requester: Rival['requester'], changes: Partial<Rival> = {}): Rival => ({
  requestName: 'csr-rival',
  requester,
  createdAt: now - 20_000,
  approvedAt: undefined,
  ...changes,
});
const inState = (lifecycleState: string): World => ({
  instances: [instanceFacts({ group: { ...group, lifecycleState } })],
});
const leftOver = (state: NodeFacts['instanceState']): NodeFacts =>
  nodeFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2', instanceState: state, isReady: false });
const young = { createdAt: now - 10_000 };
const old = { createdAt: now - 600_000 };

type Row = readonly [
  situation: string,
  world: World,
  token: VerdictKind,
  instance: VerdictKind,
  node: VerdictKind,
  serving: VerdictKind,
];

const rows: readonly Row[] = [
  ['launched, Pending, no Node', inState('Pending'), 'approve', 'approve', 'later', 'later'],
  ['launched, Pending:Wait, no Node', inState('Pending:Wait'), 'approve', 'approve', 'later', 'later'],
  ['launched, Pending:Proceed, no Node', inState('Pending:Proceed'), 'approve', 'approve', 'later', 'later'],
  ['launched, InService, no Node', inState('InService'), 'approve', 'approve', 'later', 'later'],
  [
    'its root volume replaced, no Node',
    inState('RootVolumeReplaced'),
    'approve',
    'approve',
    'later',
    'later',
  ],
  ['another key of a token pending', { rivals: [rival('token')] }, 'conflict', 'approve', 'later', 'later'],
  [
    'another key of a token approved within the window',
    { rivals: [rival('token', { approvedAt: now - 40_000 })] },
    'conflict',
    'approve',
    'later',
    'later',
  ],
  [
    'another key approved before the launch',
    { rivals: [rival('token', { approvedAt: now - 200_000 })] },
    'approve',
    'approve',
    'later',
    'later',
  ],
  [
    'a key of the instance itself pending',
    { rivals: [rival('instance')] },
    'deny',
    'approve',
    'later',
    'later',
  ],
  [
    'launched, no Node, and the request made after the window',
    { instances: [instanceFacts(launchedLongAgo)] },
    'later',
    'approve',
    'later',
    'later',
  ],
  [
    'launched after the request was made',
    { instances: [instanceFacts({ launchedAt: now + 60_000, rootVolumeAttachedAt: now + 61_000 })] },
    'deny',
    'approve',
    'later',
    'later',
  ],
  ['Node Ready', { node: nodeFacts() }, 'conflict', 'approve', 'approve', 'approve'],
  [
    'a Ready Node under another of its names',
    { otherNode: { name: 'i-0aaaaaaaaaaaaaaa1', isReady: true } },
    'conflict',
    'conflict',
    'conflict',
    'conflict',
  ],
  [
    'a Node under another of its names that is not Ready, and none under this name',
    { otherNode: { name: 'i-0aaaaaaaaaaaaaaa1', isReady: false } },
    'conflict',
    'conflict',
    'conflict',
    'conflict',
  ],
  [
    'Node Ready, beside one under another of its names that is not',
    { node: nodeFacts(), otherNode: { name: 'i-0aaaaaaaaaaaaaaa1', isReady: false } },
    'conflict',
    'approve',
    'approve',
    'approve',
  ],
  [
    'a Node that is not an EC2 instance',
    { instances: [], node: nodeFacts({ instanceId: undefined }), request: old },
    'deny',
    'deny',
    'not-ours',
    'not-ours',
  ],
  [
    'Node not Ready after a stop and a start',
    { instances: [instanceFacts({ launchedAt: now - 120_000, group: inService })], node: notReady },
    'approve',
    'approve',
    'approve',
    'approve',
  ],
  [
    'Node not Ready after its root volume was replaced',
    {
      instances: [
        instanceFacts({ ...launchedLongAgo, rootVolumeAttachedAt: now - 120_000, group: inService }),
      ],
      node: notReady,
    },
    'approve',
    'approve',
    'approve',
    'approve',
  ],
  [
    'Node not Ready after it left Standby or a warm pool',
    { instances: [instanceFacts({ ...launchedLongAgo, returnedAt: now - 120_000 })], node: notReady },
    'approve',
    'approve',
    'approve',
    'approve',
  ],
  [
    'Node not Ready after a start, and another key pending',
    { node: notReady, rivals: [rival('token')] },
    'conflict',
    'approve',
    'approve',
    'approve',
  ],
  [
    'Node not Ready, no cause',
    { instances: [instanceFacts(launchedLongAgo)], node: { ...notReady, createdAt: now - 86_000_000 } },
    'later',
    'approve',
    'approve',
    'approve',
  ],
  [
    'Node without a providerID',
    { node: nodeFacts({ instanceId: undefined }) },
    'later',
    'later',
    'later',
    'later',
  ],
  [
    'Node left over from a terminated instance',
    { node: leftOver('terminated') },
    'later',
    'later',
    'deny',
    'deny',
  ],
  [
    'Node left over from a forgotten instance',
    { node: leftOver(undefined) },
    'later',
    'later',
    'deny',
    'deny',
  ],
  ['Node of another instance that runs', { node: leftOver('running') }, 'later', 'later', 'deny', 'deny'],
  [
    'Node of another instance that is stopped',
    { node: leftOver('stopped') },
    'later',
    'later',
    'deny',
    'deny',
  ],
  [
    'instance stopped',
    { instances: [instanceFacts({ state: 'stopped' })], node: notReady },
    'later',
    'deny',
    'deny',
    'deny',
  ],
  [
    'leaving (Terminating:Wait)',
    { ...inState('Terminating:Wait'), node: nodeFacts() },
    'deny',
    'deny',
    'approve',
    'approve',
  ],
  [
    'about to lose its root volume',
    { ...inState('ReplacingRootVolume:Wait'), node: nodeFacts() },
    'deny',
    'deny',
    'approve',
    'approve',
  ],
  ['in Standby', { ...inState('Standby'), node: nodeFacts() }, 'later', 'later', 'approve', 'approve'],
  [
    'in the warm pool',
    { ...inState('Warmed:Running'), node: nodeFacts() },
    'later',
    'later',
    'approve',
    'approve',
  ],
  ['no instance, and a young request', { instances: [], request: young }, 'later', 'later', 'later', 'later'],
  ['no instance, and EC2 must know it', { instances: [], request: old }, 'deny', 'deny', 'deny', 'deny'],
  [
    'instance terminated',
    { instances: [instanceFacts({ state: 'terminated' })], request: old, node: nodeFacts() },
    'deny',
    'deny',
    'deny',
    'deny',
  ],
  [
    'several instances of the name',
    { instances: [instanceFacts(), instanceFacts({ instanceId: 'i-0cccccccccccccccc' })] },
    'later',
    'approve',
    'later',
    'later',
  ],
  [
    'a stranger of the same name in another VPC',
    { instances: [stranger, instanceFacts()], node: nodeFacts() },
    'conflict',
    'approve',
    'approve',
    'approve',
  ],
  [
    'a stranger of the same name in another VPC, no Node',
    { instances: [stranger, instanceFacts()] },
    'approve',
    'approve',
    'later',
    'later',
  ],
  [
    'two managed instances of the name, and the Node is one’s',
    { instances: [instanceFacts({ instanceId: 'i-0cccccccccccccccc' }), instanceFacts()], node: nodeFacts() },
    'later',
    'approve',
    'approve',
    'approve',
  ],
  [
    'the Node belongs to a stranger of the name',
    {
      instances: [stranger, instanceFacts()],
      node: nodeFacts({ instanceId: stranger.instanceId }),
    },
    'later',
    'later',
    'not-ours',
    'not-ours',
  ],
  [
    'two managed instances of the name, neither of the credential, for five minutes',
    {
      instances: [
        instanceFacts({ instanceId: 'i-0ccccccccccccccc1' }),
        instanceFacts({ instanceId: 'i-0ccccccccccccccc2' }),
      ],
      request: old,
    },
    'later',
    'deny',
    'later',
    'later',
  ],
  [
    'instance in no managed group',
    { instances: [instanceFacts({ group: undefined })], node: nodeFacts() },
    'not-ours',
    'not-ours',
    'not-ours',
    'not-ours',
  ],
];

describe('credential x situation -> verdict', () => {
  for (const [situation, world, ...verdicts] of rows)
    for (const [place, credential] of (['token', 'instance', 'node', 'serving'] as const).entries())
      test(`${situation}: ${credential} -> ${verdicts[place]}`, () => {
        const verdict = verdictIn(credential, world);
        expect(verdict, verdict.reason).toMatchObject({ kind: verdicts[place] });
      });
});

const pem = await createPem();
const launchedAt = now - 3_600_000;
const instances = [instanceFacts({ launchedAt, rootVolumeAttachedAt: launchedAt })];
const madeAfter = (seconds: number) =>
  verdictOn(clientRequest(pem, { createdAt: launchedAt + seconds * 1000 }), { instances });

describe('a request with a shared token', () => {
  test.each([
    [-60, 'deny'],
    [-6, 'deny'],
    [-5, 'later'],
    [-1, 'later'],
    [0, 'approve'],
    [1800, 'approve'],
    [1801, 'later'],
  ])('made %i seconds after the launch, with a window of half an hour: %s', (seconds, kind) => {
    expect(madeAfter(seconds)).toMatchObject({ kind });
  });

  test('reports how late it was made, in minutes', () => {
    expect(madeAfter(3600).reason).toContain('made 60 minutes after the launch');
    expect(madeAfter(3600).reason).toContain('outside the window of 30:');
  });
});

describe('a request with a shared token that is older than the last return to service', () => {
  const hour = 3_600_000;
  const long = { launchedAt: now - 10 * hour, rootVolumeAttachedAt: now - 10 * hour };
  const made = (changes: Partial<InstanceFacts>, secondsAgo: number, node?: NodeFacts) =>
    verdictOn(clientRequest(pem, { createdAt: now - secondsAgo * 1000 }), {
      instances: [instanceFacts({ ...long, ...changes })],
      node,
    });
  const away = { ...nodeFacts({ createdAt: now - 9 * hour }), isReady: false };

  test('waited for it in Standby, and is approved then', () => {
    expect(made({ returnedAt: now - 60_000 }, 600)).toMatchObject({ kind: 'approve' });
  });

  test('waits for an operator if its Node exists', () => {
    expect(made({ returnedAt: now - 60_000 }, 600, away)).toMatchObject({ kind: 'later' });
  });

  test('is approved if it was made after the start, and Auto Scaling ended the return after that', () => {
    const started = { launchedAt: now - 300_000, returnedAt: now - 60_000 };
    expect(made(started, 200, away)).toMatchObject({ kind: 'approve' });
  });

  test('is not denied as older than the launch if it was made before a stop and a start', () => {
    const verdict = made({ launchedAt: now - 300_000 }, 1200);
    expect(verdict).toMatchObject({ kind: 'later' });
    expect(verdict.reason).toContain('before instance i-0aaaaaaaaaaaaaaa1 last started');
  });

  test('is approved if it was made in the same second as the launch, because a creationTimestamp has whole seconds', () => {
    const launchedAt = now - 59_954;
    const instance = instanceFacts({ launchedAt, rootVolumeAttachedAt: launchedAt + 900 });
    const request = clientRequest(pem, { createdAt: Math.floor(launchedAt / 1000) * 1000 });
    expect(verdictOn(request, { instances: [instance] })).toMatchObject({ kind: 'approve' });
  });

  test('is denied if it is older than the first launch', () => {
    const first = {
      launchedAt: now - 600_000,
      rootVolumeAttachedAt: now - 599_000,
      returnedAt: now - 60_000,
    };
    expect(made(first, 700)).toMatchObject({ kind: 'deny' });
  });
});

test('a request without a readable creation time is not approved', () => {
  expect(verdictOn(clientRequest(pem, { createdAt: Number.NaN }))).toMatchObject({ kind: 'later' });
});

test.each(['it is being deleted', 'its certificate is issued'] as const)(
  'a request is left alone if %s',
  (over) => {
    expect(verdictOn(clientRequest(pem, { over }))).toMatchObject({ kind: 'not-ours', reason: over });
  },
);

test('an instance whose launch time EC2 does not report has no window for a shared token', () => {
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

describe('the reason of a waiting request names what ends the wait', () => {
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

  test('an instance’s own credential needs no operator', () => {
    const verdict = verdictOn(clientRequest(pem, instanceUser()), {
      node: nodeFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2' }),
    });
    expect(verdict).toMatchObject({ kind: 'later' });
    expect(verdict.reason).toContain('it is checked again');
  });
});

describe('an approval has a reason', () => {
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
