import { describe, expect, it } from 'vitest';
import { EtcdError } from '../../../shared/etcd/cluster.ts';
import { findEtcdGroups } from '../../../shared/etcd/groups.ts';
import { endpointOf, look } from '../../../shared/etcd/look.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';
import { answers, id, member, terms } from '../../support/etcd/sights.ts';

const groups = [groupOf({ 1: 'InService', 2: 'InService' })];
const machines = [machine(1), machine(2)];

async function see(furniture: Furniture, listFailure?: Error) {
  const { world, failures } = createPassBench({ groups, machines, ...furniture });
  if (listFailure) failures.list = listFailure;
  return look(world, await findEtcdGroups(world));
}

describe('a member is asked', () => {
  it.each([
    [['10.0.0.1', 'fd00::1'], 'https://10.0.0.1:2379'],
    [['fd00::1'], 'https://[fd00::1]:2379'],
  ])('at the first of %j', (addresses, url) => {
    const serverName = `${id(1)}.etcd.example.internal`;
    expect(endpointOf({ instanceId: id(1), addresses }, { terms })).toEqual({ url, serverName });
  });

  it('nowhere without an address', () => {
    expect(endpointOf({ instanceId: id(1), addresses: [] }, { terms })).toBeUndefined();
  });

  it('only while its instance runs', async () => {
    const { privateIpAddress: _, ...bare } = machine(2);
    const statuses = { 1: answers(), 2: answers() };
    const stopped = await see({ machines: [machine(1, { state: 'stopped' }), bare], statuses });
    expect(stopped.cluster).toEqual({
      kind: 'asked',
      statuses: new Map(),
      failure: 'there is nobody to ask',
    });
    expect(stopped.instances).toMatchObject([
      { runs: false, gone: false },
      { runs: true, addresses: [] },
    ]);
  });

  it('not at all where etcd is out of reach', async () => {
    expect((await see({ etcd: 'unreached', statuses: { 1: answers() } })).cluster).toEqual({
      kind: 'not-asked',
    });
  });
});

describe('the list of members', () => {
  it('comes from who votes with quorum', async () => {
    const { cluster } = await see({ members: [member(1)], statuses: { 1: answers() } });
    expect(cluster).toMatchObject({ list: { clusterId: '9a3f', members: [{ id: '1' }] } });
  });

  it('is missing where nobody has quorum, and why is said of each', async () => {
    const { cluster } = await see({ members: [member(1)], statuses: { 1: answers({ healthy: false }) } });
    expect(cluster).toMatchObject({ failure: `${id(1)}: no quorum; ${id(2)}: connection refused` });
    expect(cluster).not.toHaveProperty('list');
  });

  it('is not asked of a learner', async () => {
    const { cluster } = await see({ members: [member(1)], statuses: { 1: answers({ isLearner: true }) } });
    expect(cluster).not.toHaveProperty('list');
  });

  it('is missing where etcd refuses it, in its own words', async () => {
    const failure = new EtcdError('no-quorum', 'no leader');
    const { cluster } = await see({ statuses: { 1: answers() } }, failure);
    expect(cluster).toMatchObject({ failure: 'no leader' });
    expect(cluster).not.toHaveProperty('list');
  });

  it('fails the look for any other reason', async () => {
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
