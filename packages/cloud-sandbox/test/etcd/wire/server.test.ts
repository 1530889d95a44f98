import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, callersOf } from '../../../real/etcd/callers.ts';
import { sendHttps, streamHttps } from '../../../real/https.ts';
import { createTestAuthority } from '../../../real/test-authority.ts';
import { type EtcdServer, serveEtcdMember } from '../../../src/etcd/wire/server.ts';
import { createEtcdWorld, type EtcdWorld } from '../../../src/etcd/world.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { createEtcdClient, type EtcdEndpoint, streamSnapshot } from '../../contract/etcd/client.ts';

let server: EtcdServer;
let world: EtcdWorld;
let endpoint: EtcdEndpoint;
let callers: Awaited<ReturnType<typeof callersOf>>;
const as = (caller: Caller) => createEtcdClient({ send: sendHttps, credentials: callers[caller] });

beforeEach(async () => {
  const clock = createVirtualClock();
  world = createEtcdWorld({ clock, random: createRandom(1), resolve: () => [] });
  const url = 'https://10.0.0.1';
  const flags = { initialClusterState: 'new', peerUrl: `${url}:2380`, clientUrl: `${url}:2379` } as const;
  world.boot('a', { address: '10.0.0.1', dataDirectory: 'a', flags: () => flags });
  while (clock.step(clock.now() + 10_000));
  const authority = await createTestAuthority();
  const { certificate, key } = await authority.issue({ commonName: 'a', names: ['a.etcd.test'] });
  callers = await callersOf(authority, Date.now());
  server = await serveEtcdMember({
    answer: world.door.answer,
    instanceId: 'a',
    tls: { authority: authority.certificate, certificate, key },
    port: 0,
  });
  endpoint = { url: server.url, serverName: 'a.etcd.test' };
});

afterEach(() => server.close());

describe('a simulated member on the wire', () => {
  it('answers over mutual TLS', async () => {
    const etcd = as('client');
    expect(await etcd.status(endpoint)).toMatchObject({ kind: 'answers', healthy: true });
    expect((await etcd.members([endpoint])).members).toMatchObject([{ name: 'a' }]);
    await expect(etcd.remove([endpoint], '1')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('streams a snapshot that verifies', async () => {
    const chunks: Uint8Array[] = [];
    const options = { stream: streamHttps, credentials: callers.client };
    for await (const chunk of streamSnapshot(endpoint, options)) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    expect(whole.length % 512).toBe(32);
    expect(createHash('sha256').update(whole.subarray(0, -32)).digest()).toEqual(whole.subarray(-32));
  });

  it('refuses callers with a foreign or expired certificate', async () => {
    for (const caller of ['stranger', 'expired'] as const) {
      const etcd = as(caller);
      expect(await etcd.status(endpoint)).toMatchObject({ kind: 'silent' });
    }
  });

  it('is unreachable once its process has ended', async () => {
    world.kill('a');
    const etcd = as('client');
    expect(await etcd.status(endpoint)).toMatchObject({ kind: 'silent', why: 'unreachable' });
  });
});
