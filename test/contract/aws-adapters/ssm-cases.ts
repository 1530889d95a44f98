import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createMemberParameters } from '../../../shared/aws/member-states.ts';
import { createParameterStore, createPlainParameters } from '../../../shared/aws/parameters.ts';
import type { AwsWorld } from './world.ts';

const memberState = (name: string, state: 'new' | 'existing') =>
  ({
    version: 1,
    state,
    name,
    domain: 'etcd.example.internal',
    peerUrl: `https://${name}.etcd.example.internal:2380`,
    clientUrl: `https://${name}.etcd.example.internal:2379`,
    discoverySrv: 'etcd.example.internal',
    discoverySrvName: '',
    initialClusterToken: '',
  }) as const;

/** What Drover asks of Parameter Store. */
export const ssmCases: Cases<AwsWorld> = {
  'the credential that Drover writes is read back with its version and its time': async (world) => {
    const store = createParameterStore(ssmClient(world.connection));
    const name = `/case-${crypto.randomUUID()}/bootstrap`;
    expect(await store.read(name)).toBeUndefined();
    expect(await store.write({ name, value: 'first' })).toBe(1);
    expect(await store.write({ name, value: 'é'.repeat(3000) })).toBe(2);
    const read = await store.read(name);
    expect(read).toMatchObject({ value: 'é'.repeat(3000), version: 2 });
    expect(read?.modifiedAt).toBeGreaterThan(Date.UTC(2020, 0));
  },

  'only one of two callers creates a parameter, and the parameters below a path are listed over pages':
    async (world) => {
      const parameters = createPlainParameters(ssmClient(world.connection));
      const path = `/case-${crypto.randomUUID()}/holds`;
      expect(await parameters.create(`${path}/workers/a`, 'first')).toBe(true);
      expect(await parameters.create(`${path}/workers/a`, 'second')).toBe(false);
      expect(await parameters.read(`${path}/workers/a`)).toBe('first');
      const names = Array.from({ length: 12 }, (_, index) => `${path}/group-${index}/deep`);
      for (const name of names) await parameters.write(name, 'x');
      await parameters.write(`${path}-beside/group/a`, 'not below');
      expect([...(await parameters.listBelow(path)).keys()].toSorted()).toEqual(
        [`${path}/workers/a`, ...names].toSorted(),
      );
      await parameters.remove(`${path}/workers/a`);
      await parameters.remove(`${path}/workers/a`);
      expect(await parameters.read(`${path}/workers/a`)).toBeUndefined();
    },

  'Drover writes once what each member starts as, and again if it differs': async (world) => {
    const client = ssmClient(world.connection);
    const prefix = `/case-${crypto.randomUUID()}/members`;
    const parameters = createMemberParameters({ client, prefix });
    const store = createParameterStore(client);
    const ids = Array.from({ length: 11 }, (_, index) => `i-${String(index).padStart(17, '0')}`);
    const publishAll = (state: 'new' | 'existing') =>
      Promise.all(ids.map((instanceId) => parameters.publish(instanceId, memberState(instanceId, state))));
    const versions = () =>
      Promise.all(ids.map(async (instanceId) => (await store.read(`${prefix}/${instanceId}`))?.version));
    await publishAll('new');
    await publishAll('new');
    expect(await versions()).toEqual(ids.map(() => 1));
    await publishAll('existing');
    expect(await versions()).toEqual(ids.map(() => 2));
    await parameters.forget(ids[0] ?? '');
    await parameters.forget(ids[0] ?? '');
    expect(await store.read(`${prefix}/${ids[0]}`)).toBeUndefined();
  },
};
