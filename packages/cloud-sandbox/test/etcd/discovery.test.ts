import { describe, expect, it } from 'vitest';
import { createZoneWorld, hosts, plainPeers, srv, sslPeers } from './support.ts';

const abc = ['a', 'b', 'c'];

describe('members that discover each other by SRV records', () => {
  it('form one cluster, whatever the order in which they start', async () => {
    for (const order of [abc, ['c', 'a', 'b']]) {
      const { publish, boot, pass, world } = createZoneWorld();
      publish(abc);
      for (const name of order) {
        boot(name);
        await pass(3);
      }
      await pass(3);
      const views = abc.map((name) => world.view(name));
      expect(views).toEqual(abc.map(() => expect.objectContaining({ kind: 'running', serves: true })));
      expect(new Set(views.map((view) => view?.kind === 'running' && view.clusterId)).size).toBe(1);
    }
  });

  it('form a cluster for each set that they read, and no later one ever serves', async () => {
    const { publish, boot, pass, clusterIds, world } = createZoneWorld();
    for (const [index, name] of abc.entries()) {
      publish(abc.slice(0, index + 1));
      boot(name);
      await pass(5);
    }
    publish(abc);
    await pass(3600);
    expect(new Set(clusterIds(abc)).size).toBe(3);
    expect(abc.map((name) => world.view(name))).toMatchObject([
      { serves: true },
      { kind: 'running', serves: false },
      { kind: 'running', serves: false },
    ]);
  });

  it('skip a target that does not resolve', async () => {
    const { publish, boot, pass, clusterIds } = createZoneWorld();
    publish(['a', 'b'], { [`${sslPeers} SRV`]: abc.map(srv) });
    for (const name of ['a', 'b']) boot(name);
    await pass(5);
    const withoutTheThird = clusterIds(['a', 'b']);
    const other = createZoneWorld();
    other.publish(['a', 'b']);
    for (const name of ['a', 'b']) other.boot(name);
    await other.pass(5);
    expect(withoutTheThird).toEqual(other.clusterIds(['a', 'b']));
  });

  it('exit if the set does not contain them or is empty', async () => {
    const { publish, boot, pass, world } = createZoneWorld();
    publish(['a'], hosts(['a', 'b']));
    boot('b');
    boot('c');
    await pass(1);
    expect(world.view('b')).toEqual({
      kind: 'exited',
      exit: { code: 1, message: 'cannot find local etcd member "b" in SRV records' },
    });
    expect(world.view('c')).toMatchObject({
      exit: { code: 1, message: expect.stringContaining('no such host') },
    });
  });

  it('recognize themselves by address, whatever the name', async () => {
    const { publish, boot, pass, world } = createZoneWorld();
    publish([], {
      [`${sslPeers} SRV`]: ['0 0 2380 first.elsewhere.'],
      'first.elsewhere A': ['10.0.0.1'],
      ...hosts(['a']),
    });
    boot('a');
    await pass(5);
    expect(world.view('a')).toMatchObject({ kind: 'running', serves: true });
  });

  it('read the sets of their scheme and their service name', async () => {
    const plain = createZoneWorld();
    plain.publish([], { [`${plainPeers} SRV`]: [srv('a')], ...hosts(['a']) });
    plain.boot('a', { peerUrl: 'http://a.etcd.example.internal:2380' });
    plain.boot('b');
    const named = createZoneWorld();
    named.publish([], {
      '_etcd-server-ssl-blue._tcp.etcd.example.internal SRV': [srv('a')],
      ...hosts(['a']),
    });
    named.boot('a', { discoverySrvName: 'blue' });
    await plain.pass(5);
    await named.pass(5);
    expect(plain.world.view('a')).toMatchObject({ serves: true });
    expect(plain.world.view('b')).toMatchObject({ kind: 'exited' });
    expect(named.world.view('a')).toMatchObject({ serves: true });
  });
});

describe('a replacement', () => {
  it('joins once the set equals the member list, after restarts', async () => {
    const { publish, boot, pass, post, world, clusterIds } = createZoneWorld();
    publish(abc);
    for (const name of abc) boot(name);
    await pass(10);
    const { members } = JSON.parse((await post('a', '/v3/cluster/member/list', {})).body);
    const gone = members.find((member: { name: string }) => member.name === 'c');
    world.vanish('c');
    await post('a', '/v3/cluster/member/remove', { ID: gone.ID });
    boot('d', { initialClusterState: 'existing' }, 5);
    publish(['a', 'b', 'd']);
    await pass(3);
    expect(world.view('d')).toMatchObject({
      kind: 'exited',
      exit: { code: 1, message: expect.stringContaining('member count is unequal') },
    });
    const peerURLs = ['https://d.etcd.example.internal:2380'];
    await post('a', '/v3/cluster/member/add', { peerURLs, isLearner: true });
    await pass(10);
    expect(world.view('d')).toMatchObject({ kind: 'running', serves: true });
    expect(new Set(clusterIds(['a', 'b', 'd'])).size).toBe(1);
  });

  it('does not join if a name in the set differs from the member list', async () => {
    const { publish, boot, pass, world } = createZoneWorld();
    publish(abc);
    for (const name of abc) boot(name);
    await pass(10);
    publish(['a', 'b', 'd']);
    boot('d', { initialClusterState: 'existing' });
    await pass(3);
    expect(world.view('d')).toMatchObject({
      exit: { code: 1, message: expect.stringContaining('no match found for existing member') },
    });
  });
});

describe('a cluster that lost all members', () => {
  it('is created again, empty, by a member that starts as new', async () => {
    const { publish, boot, pass, post, world, clusterIds } = createZoneWorld();
    publish(abc);
    for (const name of abc) boot(name);
    await pass(5);
    const [before] = clusterIds(abc);
    await post('a', '/v3/kv/put', { key: 'a2V5', value: 'dmFsdWU=' });
    expect((await post('b', '/v3/kv/range', { key: 'a2V5' })).body).toContain('dmFsdWU=');
    for (const name of abc) world.vanish(name);
    for (const name of abc) boot(name);
    await pass(5);
    expect(clusterIds(abc)).toEqual([before, before, before]);
    expect((await post('b', '/v3/kv/range', { key: 'a2V5' })).body).not.toContain('dmFsdWU=');
  });
});
