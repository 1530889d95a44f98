import { describe, expect, it } from 'vitest';
import { EtcdError } from '../../../shared/etcd/cluster.ts';
import { findEtcdGroups } from '../../../shared/etcd/groups.ts';
import { endpointOf, observeEtcd } from '../../../shared/etcd/observe.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { answers, id, member, settings } from '../../support/etcd/observations.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';

const groups = [groupOf({ 1: 'InService', 2: 'InService' })];
const machines = [machine(1), machine(2)];

async function see(furniture: Furniture, listFailure?: Error) {
  const { context, failures } = createPassBench({ groups, machines, ...furniture });
  if (listFailure) failures.list = listFailure;
  return observeEtcd(context, await findEtcdGroups(context));
}

it('the members that are wanted are those of all groups together', async () => {
  const second = { ...groupOf({ 2: 'InService' }), autoScalingGroupName: 'etcd-b', desiredCapacity: 3 };
  const first = { ...groupOf({ 1: 'InService' }), desiredCapacity: 2 };
  expect((await see({ groups: [first, second] })).desiredMembers).toBe(5);
});

describe('the endpoint of a member', () => {
  it.each([
    [['10.0.0.1', 'fd00::1'], 'https://10.0.0.1:2379'],
    [['fd00::1'], 'https://[fd00::1]:2379'],
  ])('has the first address of %j', (addresses, url) => {
    const serverName = `${id(1)}.etcd.example.internal`;
    expect(endpointOf({ instanceId: id(1), addresses }, { settings })).toEqual({ url, serverName });
  });

  it('is undefined without an address', () => {
    expect(endpointOf({ instanceId: id(1), addresses: [] }, { settings })).toBeUndefined();
  });

  it('is asked only while the instance runs', async () => {
    const { privateIpAddress: _, ...bare } = machine(2);
    const statuses = { 1: answers(), 2: answers() };
    const stopped = await see({ machines: [machine(1, { state: 'stopped' }), bare], statuses });
    expect(stopped.cluster).toEqual({
      kind: 'asked',
      statuses: new Map(),
      failure: 'no instance has an endpoint to ask',
    });
    expect(stopped.instances).toMatchObject([
      { runs: false, gone: false },
      { runs: true, addresses: [] },
    ]);
  });

  it('is not asked if the deployment cannot reach etcd', async () => {
    expect((await see({ etcd: 'unreached', statuses: { 1: answers() } })).cluster).toEqual({
      kind: 'not-asked',
    });
  });
});

describe('the list of members', () => {
  it('comes from a voter with quorum', async () => {
    const { cluster } = await see({ members: [member(1)], statuses: { 1: answers() } });
    expect(cluster).toMatchObject({ list: { clusterId: '9a3f', members: [{ id: '1' }] } });
  });

  it('is missing if no member has quorum, with the reason of each', async () => {
    const { cluster } = await see({ members: [member(1)], statuses: { 1: answers({ healthy: false }) } });
    expect(cluster).toMatchObject({ failure: `${id(1)}: no quorum; ${id(2)}: connection refused` });
    expect(cluster).not.toHaveProperty('list');
  });

  it.each([
    ['the cluster of the domain', { kind: 'born', clusterId: '9a3f' }],
    ['the first set', { kind: 'forming', set: [id(2)] }],
  ] as const)('comes from %s, although another etcd answers first', async (_, birth) => {
    const records = recordsOf({ ...settings, birth, changedAt: 1, members: [] });
    const asked: string[] = [];
    const { context } = createPassBench({
      groups,
      machines,
      records,
      members: [member(2)],
      statuses: { 1: answers({ clusterId: 'bad' }), 2: answers() },
    });
    const { cluster } = context;
    if (!cluster) throw new Error('it can be reached');
    const members: typeof cluster.members = (endpoints) => {
      asked.push(...endpoints.map(({ url }) => url));
      return cluster.members(endpoints);
    };
    await observeEtcd({ ...context, cluster: { ...cluster, members } }, await findEtcdGroups(context));
    expect(asked).toEqual(['https://10.0.0.2:2379']);
  });

  it('comes from another cluster if none of the domain votes, so that the other is reported', async () => {
    const birth = { kind: 'born', clusterId: '9a3f' } as const;
    const records = recordsOf({ ...settings, birth, changedAt: 1, members: [] });
    const statuses = { 1: answers({ clusterId: 'bad' }), 2: answers({ healthy: false }) };
    const { cluster } = await see({ records, members: [member(1)], statuses });
    expect(cluster).toHaveProperty('list');
  });

  it('does not come from a learner', async () => {
    const { cluster } = await see({ members: [member(1)], statuses: { 1: answers({ isLearner: true }) } });
    expect(cluster).not.toHaveProperty('list');
  });

  it('is missing if etcd refuses it, with the message of etcd', async () => {
    const failure = new EtcdError('no-quorum', 'no leader');
    const { cluster } = await see({ statuses: { 1: answers() } }, failure);
    expect(cluster).toMatchObject({ failure: 'no leader' });
    expect(cluster).not.toHaveProperty('list');
  });

  it('fails the observation for any other error', async () => {
    const failure = new TypeError('a mistake of ours');
    await expect(see({ statuses: { 1: answers() } }, failure)).rejects.toBe(failure);
  });
});

describe('a member in no group', () => {
  it('is looked up in EC2', async () => {
    const strange = member(9, { peerUrls: ['not a URL'] });
    const nameless = member(8, { peerUrls: [] });
    const { others } = await see({
      members: [1, 2, 3, 4, 5].map((number) => member(number)).concat(strange, nameless),
      statuses: { 1: answers() },
      machines: [...machines, machine(3), machine(4, { state: 'terminated' })],
    });
    expect(others).toEqual(
      new Map([
        [id(3), 'running'],
        [id(4), 'gone'],
        [id(5), 'unknown-to-ec2'],
      ]),
    );
  });
});
