import { createGroup, groupOf, putHook } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { activityList, instanceList } from '../../../shared/scale-api/schemas/answers/group.ts';
import { passList, status as statusSchema } from '../../../shared/scale-api/schemas/answers/status.ts';
import { createScaleApiWorld, readyNode, workerTags } from './scale-api-world.ts';

let world: ReturnType<typeof createScaleApiWorld>;
const idsOf = (name?: string): string[] =>
  (groupOf(world.cloud, name).Instances ?? []).map(({ InstanceId }) => InstanceId ?? '');
const scaleTo = (desiredCapacity: number, headers = {}) =>
  world.send('PUT', '/groups/workers/capacity', { body: JSON.stringify({ desiredCapacity }), headers });

/** A Node that Drover has marked as leaving. */
function leavingNode(instanceId: string, mark: { readonly until?: string } = {}) {
  const node = readyNode(instanceId);
  const since = new Date(world.cloud.clock.now()).toISOString();
  const annotation = formatLeavingMark({
    cause: 'terminating',
    instanceId,
    since,
    renewedAt: since,
    before: { unschedulable: false, excludedFromLoadBalancers: false },
    waitingFor: ['shop/web-1 (budget web)'],
    ...mark,
  });
  return { ...node, metadata: { ...node.metadata, annotations: { 'drover.dev/leaving': annotation } } };
}

beforeEach(() => {
  world = createScaleApiWorld();
});

describe('GET /groups/{group}/activities', () => {
  it('shows pages of activities, the newest first', async () => {
    await scaleTo(4);
    world.cloud.advance(120);
    const first = activityList.parse((await world.send('GET', '/groups/workers/activities?limit=3')).body);
    expect(first.activities).toHaveLength(3);
    expect(first.activities[0]?.description).toMatch(/^Launching a new EC2 instance/);
    const cursor = encodeURIComponent(first.nextCursor ?? '');
    const rest = await world.send('GET', `/groups/workers/activities?limit=3&cursor=${cursor}`);
    const { activities, nextCursor } = activityList.parse(rest.body);
    expect(activities).toHaveLength(1);
    expect(nextCursor).toBeUndefined();
  });

  it.each(['cursor=nonsense', 'cursor=', 'limit=0', 'limit=101', 'limit=ten'])(
    'refuses %s',
    async (query) => {
      expect(await world.send('GET', `/groups/workers/activities?${query}`)).toMatchObject({
        status: 400,
        body: { type: 'https://drover.dev/problems/invalid-parameter' },
      });
    },
  );

  it('shows nothing of an unmanaged group', async () => {
    createGroup(world.cloud, { AutoScalingGroupName: 'foreign', Tags: workerTags('worker', 'other') });
    expect(await world.send('GET', '/groups/foreign/activities')).toMatchObject({ status: 404 });
  });
});

describe('GET /instances', () => {
  const list = async (query = '') => instanceList.parse((await world.send('GET', `/instances${query}`)).body);

  it('shows the instances of every managed group with their Nodes', async () => {
    createGroup(world.cloud, { AutoScalingGroupName: 'team/b', Tags: workerTags(), DesiredCapacity: 1 });
    createGroup(world.cloud, { AutoScalingGroupName: 'foreign', Tags: workerTags('worker', 'other') });
    const [first = ''] = idsOf();
    world.cluster.nodes.set(first, readyNode(first));
    const { instances, nextCursor } = await list();
    expect(nextCursor).toBeUndefined();
    expect(instances.map(({ instanceId }) => instanceId)).toEqual([...idsOf(), ...idsOf('team/b')].sort());
    expect(instances.filter(({ serves }) => serves)).toMatchObject([
      { instanceId: first, node: { status: 'found', name: `node-of-${first}` } },
    ]);
    const ofGroup = await list('?group=team%2Fb');
    expect(ofGroup.instances).toMatchObject([{ autoScalingGroupName: 'team/b' }]);
  });

  it('shows each instance once over all pages, also if one disappears between two pages', async () => {
    await scaleTo(5);
    world.cloud.advance(120);
    const all = idsOf().sort();
    const first = await list('?limit=2');
    world.cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId: all[0] ?? '',
      ShouldDecrementDesiredCapacity: true,
    });
    world.cloud.advance(600);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    const third = await list(`?limit=2&cursor=${second.nextCursor}`);
    const seen = [first, second, third].flatMap(({ instances }) =>
      instances.map(({ instanceId }) => instanceId),
    );
    expect(seen).toEqual(all);
    expect(third.nextCursor).toBeUndefined();
  });

  it.each(['cursor=%00', 'cursor=a', 'limit=1000', 'groups=workers'])('refuses %s', async (query) => {
    expect(await world.send('GET', `/instances?${query}`)).toMatchObject({ status: 400 });
  });

  it('answers for an unmanaged group as for a missing one', async () => {
    expect(await world.send('GET', '/instances?group=nowhere')).toMatchObject({ status: 404 });
  });
});

describe('GET /passes and GET /status', () => {
  const passes = async () => passList.parse((await world.send('GET', '/passes')).body);
  const status = async () => statusSchema.parse((await world.send('GET', '/status')).body);

  it('are empty and ok if nothing joins or leaves', async () => {
    expect(await passes()).toEqual({ leaving: [], joining: [], problems: [], clusterAnswers: true });
    expect(await status()).toEqual({
      clusterName: 'drover',
      state: 'ok',
      groups: 1,
      pausedGroups: [],
      instances: 2,
      leaving: 0,
      joining: 0,
      clusterAnswers: true,
      problems: [],
      scheduledActions: [],
      credentials: [],
      etcd: { state: 'off', reason: 'the deployment manages no etcd', members: null },
      unknown: [],
      notLookedAt: [
        'the hooks of the groups',
        'the groups without the tag of the cluster',
        'the approvers of certificates',
        'the certificate requests',
        'the queues',
        'the alarms',
      ],
    });
  });

  it('show a leaving instance with its mark, and an unmarked one with what it waits for', async () => {
    putHook(world.cloud, { LifecycleHookName: 'drover-node-leaving', HeartbeatTimeout: 3600 });
    await scaleTo(1);
    world.cloud.advance(60);
    const leaver = (groupOf(world.cloud).Instances ?? []).find(({ LifecycleState }) =>
      LifecycleState?.startsWith('Terminating'),
    );
    const id = leaver?.InstanceId ?? '';
    const unmarked = { instanceId: id, node: null, waitsFor: 'its first pass, or the concurrency limit' };
    expect((await passes()).leaving).toMatchObject([unmarked]);
    world.cluster.nodes.set(id, leavingNode(id));
    expect((await passes()).leaving).toMatchObject([
      { instanceId: id, node: `node-of-${id}`, cause: 'terminating', waitsFor: 'shop/web-1 (budget web)' },
    ]);
    expect(await status()).toMatchObject({ state: 'ok', leaving: 1 });
  });

  it('show an instance that waits on Drover’s launch hook', async () => {
    putHook(world.cloud, {
      LifecycleHookName: 'drover-node-joining',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: 3600,
    });
    await scaleTo(3);
    world.cloud.advance(60);
    expect((await passes()).joining).toMatchObject([
      { autoScalingGroupName: 'workers', lifecycleState: 'Pending:Wait' },
    ]);
  });

  it('need attention for a node that should have left', async () => {
    const [id = ''] = idsOf();
    const until = new Date(world.cloud.clock.now() - 600_000).toISOString();
    world.cluster.nodes.set(id, leavingNode(id, { until }));
    expect(await status()).toMatchObject({ state: 'attention', problems: [{ kind: 'overdue' }] });
  });

  it('need attention for a problem of etcd on a group', async () => {
    const tags = [
      ...workerTags('etcd'),
      { Key: 'drover.dev/etcd-status', Value: 'two of three members answer' },
    ];
    createGroup(world.cloud, { AutoScalingGroupName: 'etcd-a', Tags: tags });
    expect(await status()).toMatchObject({
      state: 'attention',
      problems: [{ kind: 'etcd', subject: 'etcd-a', message: 'two of three members answer' }],
    });
  });

  it('show that a cluster does not respond, and name paused groups', async () => {
    world.cluster.failure = new Error('connection refused');
    const tags = [...workerTags(), { Key: 'drover.dev/paused', Value: 'scope=group' }];
    createGroup(world.cloud, { AutoScalingGroupName: 'paused', Tags: tags });
    expect(await passes()).toMatchObject({ clusterAnswers: false });
    expect(await status()).toMatchObject({ state: 'unknown', pausedGroups: ['paused'] });
  });

  it('read the hooks only of groups in which an instance waits', async () => {
    const calls: string[] = [];
    world.faults.push(({ operation }) => {
      calls.push(operation);
      return undefined;
    });
    await passes();
    expect(calls).toEqual(['DescribeAutoScalingGroups']);
  });
});

describe('If-Match', () => {
  const etag = async () => (await world.send('GET', '/groups/workers/capacity')).headers.etag ?? '';

  it('allows a change of a group that has not changed since', async () => {
    const seen = await etag();
    expect(seen).toBe('"1-5-2"');
    expect(await scaleTo(3, { 'If-Match': `"other", ${seen}` })).toMatchObject({ status: 202 });
    expect(await scaleTo(4, { 'If-Match': '*' })).toMatchObject({ status: 202 });
  });

  it.each(['"1-5-3"', 'W/"1-5-2"', '1-5-2', ''])('refuses with 412 for %j', async (tag) => {
    const seen = await etag();
    expect(await scaleTo(4, { 'if-match': tag })).toMatchObject({
      status: 412,
      headers: { etag: seen },
      body: { type: 'https://drover.dev/problems/precondition-failed' },
    });
    expect(world.group().DesiredCapacity).toBe(2);
  });

  it('refuses after another change of any of the three sizes', async () => {
    const seen = await etag();
    world.cloud.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      MaxSize: 6,
    });
    expect(await scaleTo(4, { 'if-match': seen })).toMatchObject({ status: 412 });
  });
});
