import { describe, expect, it } from 'vitest';
import type { GroupSummary, Instance } from '../../../cli/scale-api/client.ts';
import type { ApiReading } from '../../../cli/ui/api/read.ts';
import { apiState } from '../../../cli/ui/api/state.ts';
import { etcdStatusOf } from '../../../cli/ui/direct/etcd-status.ts';
import type { DirectReading } from '../../../cli/ui/direct/reading.ts';
import { directState } from '../../../cli/ui/direct/state.ts';
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import type { PublishedCredential } from '../../../shared/problems/credential-problems.ts';
import { defaultBounds, type Roll } from '../../../shared/roll/roll.ts';
import { requestViews } from '../../../ui/server/views/request.ts';
import type { DashboardState } from '../../../ui/state/types.ts';

const at = Date.UTC(2026, 0, 5, 8);
const unknown = { kind: 'unknown', reason: 'denied' } as const;
const known = <Value>(value: Value) => ({ kind: 'known', value }) as const;

const group = (parts: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker' },
  minSize: 0,
  maxSize: 5,
  desiredCapacity: 1,
  instances: [
    {
      instanceId: 'i-0123456789abcdef0',
      lifecycleState: 'InService',
      availabilityZone: 'eu-west-1a',
      healthy: true,
    },
  ],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...parts,
});

/** Nothing could be read. */
const direct = (parts: Partial<DirectReading> = {}): DirectReading => ({
  at,
  region: 'eu-west-1',
  clusterName: 'prod',
  joinTimeoutSeconds: 720,
  maxSizeLimit: 100,
  alarms: unknown,
  scheduledActions: unknown,
  hookNames: {
    leavingHookName: 'leave',
    joiningHookName: 'join',
    etcdHookName: 'etcd',
    etcdLaunchHookName: 'launch',
  },
  accountId: unknown,
  groups: unknown,
  holds: unknown,
  rolls: unknown,
  schedules: unknown,
  credentials: unknown,
  queues: unknown,
  nodes: unknown,
  ...parts,
});

const published: PublishedCredential = {
  role: 'worker',
  parameterName: '/drover/prod/bootstrap-kubeconfig',
  publishedAt: 7,
  rotationSeconds: 43_200,
};

/** The scale API answered nothing. */
const nothing: ApiReading = {
  at,
  groups: unknown,
  instances: unknown,
  holds: unknown,
  rolls: unknown,
  schedules: unknown,
  passes: unknown,
  status: unknown,
};

type StatusAnswer = Extract<ApiReading['status'], { readonly kind: 'known' }>['value'];

const statusAnswer = (parts: Partial<StatusAnswer> = {}): StatusAnswer => ({
  clusterName: 'prod',
  state: 'attention',
  groups: 1,
  pausedGroups: [],
  instances: 1,
  leaving: 0,
  joining: 0,
  clusterAnswers: true,
  problems: [{ kind: 'etcd', subject: 'etcd-a', message: 'no quorum' }],
  credentials: [],
  etcd: { state: 'off', reason: 'the deployment manages no etcd', members: null },
  unknown: ['the Nodes: denied', 'the groups: denied'],
  ...parts,
});

describe('the page from what was read with AWS credentials', () => {
  it('has no part of which nothing is known, and names each', () => {
    const page = directState(direct());
    expect(page).toEqual({
      now: at,
      source: 'account',
      hasReports: true,
      clusterName: 'prod',
      region: 'eu-west-1',
      groups: [],
      problems: [],
      otherNodes: [],
      budgets: [],
      scheduleProblems: [],
      news: [],
      unknown: [
        {
          what: 'the groups, the holds, the rolls, the schedules, the credential of new nodes, the queues, the alarms, the scheduled actions of Auto Scaling, the account, the Nodes and all else of the cluster',
          reason: 'unknown: denied',
        },
      ],
    });
  });

  it('shows how far a roll is, and only its groups while its Nodes are unknown', () => {
    const asked: Roll = {
      ...defaultBounds,
      name: 'june',
      groups: [{ autoScalingGroupName: 'workers' }],
      criterion: { kind: 'all' },
      startedAt: at,
      wanted: 'paused',
      skipBlocked: false,
    };
    const instanceId = 'i-0123456789abcdef0';
    const node = { metadata: { name: 'one' }, spec: { providerID: `aws:///eu-west-1a/${instanceId}` } };
    const reading = {
      groups: known({ managed: [group()], others: [] }),
      rolls: known([{ name: 'june', ask: { kind: 'read', value: asked } as const }]),
      rollLaunches: known(new Map([[instanceId, { launchedAt: at - 1, imageId: 'ami-1' }]])),
    };
    const [whole] = directState(direct({ ...reading, nodes: known([node]) })).rolls ?? [];
    expect(whole).toMatchObject({
      name: 'june',
      state: 'starting',
      isAskedToPause: true,
      asked: { canary: 1 },
    });
    const progress = { old: 1, fresh: 0, leaving: 0, leftOut: 0 };
    expect(whole?.groups).toEqual([{ autoScalingGroupName: 'workers', progress }]);
    const [less] = directState(direct(reading)).rolls ?? [];
    expect(less?.groups).toEqual([{ autoScalingGroupName: 'workers' }]);
    expect(less?.moving).toEqual([]);
  });

  it('calls no Node foreign while the groups are unknown', () => {
    const node = { metadata: { name: 'one' }, spec: { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' } };
    expect(directState(direct({ nodes: known([node]) })).otherNodes).toEqual([]);
    const groups = known({ managed: [group()], others: [] });
    const stranger = { metadata: { name: 'stranger' } };
    const page = directState(direct({ groups, nodes: known([node, stranger]) }));
    expect(page.otherNodes.map(({ name }) => name)).toEqual(['stranger']);
    expect(page.groups[0]?.instances[0]?.node?.name).toBe('one');
  });

  it('says when a drain was last seen whose Node can no longer be read, by either way', () => {
    const instanceId = 'i-0123456789abcdef0';
    const mark = formatLeavingMark({
      instanceId,
      cause: 'terminating',
      since: '2026-01-05T07:00:00Z',
      renewedAt: '2026-01-05T07:00:00Z',
      before: { unschedulable: false, excludedFromLoadBalancers: false },
      waitingFor: [],
    });
    const node = {
      metadata: { name: 'one', annotations: { [leavingAnnotation]: mark } },
      spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
    };
    const named: Instance = {
      instanceId,
      autoScalingGroupName: 'workers',
      lifecycleState: 'Terminating:Wait',
      availabilityZone: 'eu-west-1a',
      healthy: true,
      serves: false,
      node: {
        status: 'found',
        name: 'one',
        providerID: node.spec.providerID,
        ready: true,
        unschedulable: true,
        leaving: { cause: 'terminating', since: '2026-01-05T07:00:00Z', waitingFor: [] },
      },
    };
    const summary: GroupSummary = {
      autoScalingGroupName: 'workers',
      role: 'worker',
      minSize: 1,
      maxSize: 1,
      desiredCapacity: 1,
      instances: { pending: 0, inService: 0, terminating: 1, other: 0 },
      nodes: { status: 'unknown', reason: 'denied' },
    };
    const stale = <Value>(value: Value) => ({ kind: 'stale', value, at: 7, reason: 'no answer' }) as const;
    const drainOf = ({ groups: [first] }: DashboardState) => first?.instances[0]?.node?.leaving;
    const groups = known({ managed: [group()], others: [] });
    const byKubeconfig = (nodes: DirectReading['nodes']) => drainOf(directState(direct({ groups, nodes })));
    const byApi = (instances: ApiReading['instances']) =>
      drainOf(apiState({ ...nothing, groups: known([summary]), instances }));
    expect(byKubeconfig(known([node]))).toBeDefined();
    expect(byKubeconfig(known([node]))).not.toHaveProperty('seenAt');
    expect(byKubeconfig(stale([node]))).toHaveProperty('seenAt', 7);
    expect(byApi(known([named]))).toBeDefined();
    expect(byApi(known([named]))).not.toHaveProperty('seenAt');
    expect(byApi(stale([named]))).toHaveProperty('seenAt', 7);
  });

  it('shows the youngest Node of an instance in its group, and the older one apart', () => {
    const spec = { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' };
    const nodes = ['2026-01-05T07:00:00Z', '2026-01-05T06:00:00Z'].map((creationTimestamp) => ({
      metadata: { name: `of ${creationTimestamp}`, creationTimestamp },
      spec,
    }));
    const groups = known({ managed: [group()], others: [] });
    const page = directState(direct({ groups, nodes: known(nodes) }));
    expect(page.groups[0]?.instances[0]?.node?.name).toBe('of 2026-01-05T07:00:00Z');
    expect(page.otherNodes.map(({ name }) => name)).toEqual(['of 2026-01-05T06:00:00Z']);
  });

  it('does not call an instance terminated that EC2 does not list: it may be too new', () => {
    const groups = known({ managed: [group()], others: [] });
    const page = directState(direct({ groups, machines: known(new Map()) }));
    expect(page.groups[0]?.instances[0]).not.toHaveProperty('ec2State');
  });

  it('counts what a group has in units if its sizes are units', () => {
    const [one] = group().instances;
    const instances = one ? [{ ...one, weight: 3 }] : [];
    const weighted = group({ countsUnits: true, desiredCapacity: 3, instances });
    const node = {
      metadata: { name: 'node-1' },
      spec: { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    } as never;
    const page = directState(
      direct({
        groups: known({ managed: [weighted], others: [] }),
        holds: known(new Map()),
        nodes: known([node]),
      }),
    );
    expect(page.groups).toMatchObject([
      { countsUnits: true, capacity: { ready: 3 }, instances: [{ weight: 3 }] },
    ]);
  });

  it('names schedules without a group only while the groups are known', () => {
    const schedules = known([{ kind: 'unreadable', name: 'odd', why: 'no input' } as const]);
    expect(directState(direct({ schedules })).scheduleProblems).toEqual([]);
    const groups = known({ managed: [group()], others: [] });
    expect(directState(direct({ schedules, groups })).scheduleProblems).toEqual([
      'schedule odd makes no holds: no input',
    ]);
  });

  it('says when a credential was last read that can no longer be read, by either way', () => {
    const stale = <Value>(value: Value) => ({ kind: 'stale', value, at: 9, reason: 'no answer' }) as const;
    const status = statusAnswer({
      credentials: [
        {
          role: 'worker',
          parameterName: 'p',
          state: 'ok',
          reason: 'it is fresh',
          publishedAt: '2026-01-05T07:00:00Z',
          ageSeconds: 3600,
        },
      ],
    });
    const byApi = (part: ApiReading['status']) => apiState({ ...nothing, status: part }).credentials;
    expect(directState(direct({ credentials: stale([published]) })).credentials).toMatchObject([
      { publishedAt: 7, seenAt: 9 },
    ]);
    expect(directState(direct({ credentials: known([published]) })).credentials?.[0]).not.toHaveProperty(
      'seenAt',
    );
    expect(byApi(stale(status))).toMatchObject([{ parameterName: 'p', seenAt: 9 }]);
    expect(byApi(known(status))?.[0]).not.toHaveProperty('seenAt');
  });

  it('distinguishes a credential that is not published from one that is unknown', () => {
    expect(
      directState(direct({ credentials: known([{ ...published, publishedAt: undefined }]) })).credentials,
    ).toEqual([{ parameterName: '/drover/prod/bootstrap-kubeconfig' }]);
    expect(directState(direct())).not.toHaveProperty('credentials');
  });

  it('shows the credential of each role, and the problem of one that was not replaced in time', () => {
    const old = { ...published, role: 'control-plane', parameterName: 'control-plane' } as const;
    const fresh = { ...published, publishedAt: at };
    const { credentials, problems } = directState(direct({ credentials: known([fresh, old]) }));
    expect(credentials?.map(({ parameterName }) => parameterName)).toEqual([
      '/drover/prod/bootstrap-kubeconfig',
      'control-plane',
    ]);
    expect(problems).toMatchObject([
      { kind: 'credential', subject: 'control-plane', command: 'drover rotate --role control-plane' },
    ]);
  });
});

describe('what Drover wrote about etcd', () => {
  const etcd = (tags: Readonly<Record<string, string>> = {}) =>
    group({ autoScalingGroupName: 'etcd-a', tags: { ...group().tags, 'drover.dev/role': 'etcd', ...tags } });

  it('is absent without a group of etcd', () => {
    expect(etcdStatusOf([group()])).toBeUndefined();
  });

  it('is a problem if a group has one', () => {
    expect(etcdStatusOf([group(), etcd({ 'drover.dev/etcd-status': 'no quorum' })])).toEqual({
      state: 'attention',
      reason: 'etcd-a: no quorum',
    });
    expect(etcdStatusOf([etcd()])?.state).toBe('ok');
  });
});

describe('the page from what the scale API answered', () => {
  it('has the rolls without their progress', () => {
    const asked = {
      groups: ['workers'],
      criterion: { kind: 'changed' as const },
      wanted: 'run' as const,
      annotationTimeoutSeconds: 86_400,
      startedAt: new Date(at).toISOString(),
      surge: 1,
      maxUnavailable: 0,
      canary: 1,
      bakeSeconds: 300,
      stopOn: [],
      skipBlocked: false,
      by: 'anna',
    };
    const answered = { name: 'june', state: 'stopped' as const, reason: 'three launches failed', asked };
    expect(apiState({ ...nothing, rolls: known([answered]) }).rolls).toEqual([
      {
        name: 'june',
        state: 'stopped',
        reason: 'three launches failed',
        asked: { startedAt: at, canary: 1, bakeSeconds: 300, stopOn: [], by: 'anna' },
        groups: [{ autoScalingGroupName: 'workers' }],
        moving: [],
      },
    ]);
  });

  it.each([
    ['paused', { isAskedToPause: true }],
    ['run', {}],
  ] as const)('shows a pause by people unlike one by the roll itself: %s', (wanted, expected) => {
    const asked = {
      groups: ['workers'],
      criterion: { kind: 'changed' as const },
      wanted,
      annotationTimeoutSeconds: 86_400,
      startedAt: new Date(at).toISOString(),
      surge: 1,
      maxUnavailable: 0,
      canary: 1,
      bakeSeconds: 300,
      stopOn: [],
      skipBlocked: false,
    };
    const answered = { name: 'june', state: 'paused' as const, reason: 'because', asked };
    const [roll] = apiState({ ...nothing, rolls: known([answered]) }).rolls ?? [];
    expect(roll?.isAskedToPause === true ? { isAskedToPause: true } : {}).toEqual(expected);
  });

  const told = (parts: Partial<StatusAnswer> = {}): ApiReading => ({
    ...nothing,
    status: known(statusAnswer(parts)),
  });

  it('names what the API itself could not read, beside what it did not answer', () => {
    expect(apiState(told()).unknown).toEqual([
      {
        what: 'the groups, the instances, the holds, the rolls, the schedules, what joins and leaves',
        reason: 'unknown: denied',
      },
      { what: 'of the scale API', reason: 'the Nodes: denied' },
      { what: 'of the scale API', reason: 'the groups: denied' },
    ]);
  });

  it('shows etcd with the instances that Drover knows, and nothing if etcd is off', () => {
    expect(apiState(told())).not.toHaveProperty('etcdStatus');
    const etcd: StatusAnswer['etcd'] = { state: 'ok', reason: '1 known', members: ['i-0123456789abcdef0'] };
    expect(apiState(told({ etcd })).etcdStatus).toEqual({
      state: 'ok',
      reason: '1 known: i-0123456789abcdef0',
    });
  });

  it('distinguishes a credential that is not published from one whose age is unknown', () => {
    const credential = { role: 'worker', reason: '', publishedAt: null, ageSeconds: null } as const;
    const credentials: StatusAnswer['credentials'] = [
      { ...credential, parameterName: 'published', state: 'ok', publishedAt: '2026-01-05T07:00:00Z' },
      { ...credential, parameterName: 'missing', state: 'attention' },
      { ...credential, parameterName: 'denied', state: 'unknown' },
    ];
    expect(apiState(told({ credentials })).credentials).toEqual([
      { parameterName: 'published', publishedAt: at - 3_600_000 },
      { parameterName: 'missing' },
    ]);
  });

  it('passes on that a group counts units, and counts neither nodes nor holds for its floor', () => {
    const summary = {
      autoScalingGroupName: 'workers',
      role: 'worker',
      minSize: 6,
      maxSize: 20,
      desiredCapacity: 6,
      countsUnits: true,
      instances: { pending: 0, inService: 2, terminating: 0, other: 0 },
      nodes: { status: 'seen', ready: 2, notReady: 0, leaving: 0, missing: 0 },
    };
    const hold = { autoScalingGroupName: 'workers', raiseMaxSize: false, until: '2026-01-05T09:00:00Z' };
    const reading = {
      ...nothing,
      groups: known([summary]),
      holds: known([{ ...hold, name: 'ignored', nodes: 9, state: 'waiting', reason: 'units' }]),
    } as unknown as ApiReading;
    const [page] = apiState(reading).groups;
    expect(page).toMatchObject({ countsUnits: true, capacity: { floor: 6 } });
    expect(page?.capacity).not.toHaveProperty('ready');
  });

  it('counts a hold that is over for no floor, and names one that cannot be read', () => {
    const hold = { autoScalingGroupName: 'workers', raiseMaxSize: false, until: '2026-01-05T09:00:00Z' };
    const holds = [
      { ...hold, name: 'over', nodes: 9, state: 'over', reason: 'it has ended' },
      { ...hold, name: 'stands', nodes: 3, state: 'waiting', reason: '1 of 3' },
      { autoScalingGroupName: 'workers', name: 'odd', state: 'unreadable', reason: 'no JSON' },
    ];
    const summary = {
      autoScalingGroupName: 'workers',
      role: 'worker',
      minSize: 1,
      maxSize: 5,
      desiredCapacity: 1,
      instances: { pending: 0, inService: 1, terminating: 0, other: 0 },
      nodes: { status: 'unknown', reason: 'denied' },
    };
    const reading = {
      ...nothing,
      groups: known([summary]),
      holds: known(holds),
    } as unknown as ApiReading;
    const [capacity] = apiState(reading).groups.map((one) => one.capacity);
    expect(capacity).toMatchObject({ floor: 3, problems: ['hold odd cannot be read: no JSON'] });
    expect(capacity?.holds.map(({ name }) => name)).toEqual(['over', 'stands']);
    expect(capacity).not.toHaveProperty('ready');
  });
});

describe('certificate requests', () => {
  const request = (name: string, createdAt: number, type?: string): CertificateRequest => ({
    name,
    uid: name,
    resourceVersion: '1',
    signerName: 'kubernetes.io/kubelet-serving',
    username: 'system:node:one',
    groups: [],
    extra: {},
    usages: [],
    createdAt,
    conditions: type === undefined ? [] : [{ type, status: 'True', reason: '', message: 'because', at }],
    pem: 'no request',
  });

  it('are those that wait or were denied, the newest first, ten at most', () => {
    const some = [
      request('a', 1),
      request('b', 3, 'Denied'),
      request('c', 2, 'Approved'),
      request('d', 4, 'Failed'),
    ];
    expect(requestViews(some)).toMatchObject([
      { name: 'b', kind: 'serving', nodeName: '', state: 'denied', reason: 'because' },
      { name: 'a', state: 'pending' },
    ]);
    const many = Array.from({ length: 12 }, (_, index) => ({
      ...request(`r${index}`, index),
      username: `system:node:${index}`,
    }));
    expect(requestViews(many).map(({ name }) => name)).toHaveLength(10);
  });

  it('of a kubelet that asks again and again are one, the newest, so that it hides no other node', () => {
    const again = Array.from({ length: 12 }, (_, index) => request(`again${index}`, 10 + index, 'Denied'));
    const other = { ...request('other', 1, 'Denied'), username: 'system:node:other' };
    const waits = request('waits', 30);
    expect(requestViews([other, ...again, waits]).map(({ name, times }) => [name, times])).toEqual([
      ['waits', undefined],
      ['again11', 12],
      ['other', undefined],
    ]);
  });
});
