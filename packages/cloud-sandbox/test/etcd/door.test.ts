import { describe, expect, it } from 'vitest';
import { createTestAuthority } from '../../real/test-authority.ts';
import { addressOf, createZoneWorld } from './support.ts';

const list = '/v3/cluster/member/list';

describe('the endpoint of simulated members', () => {
  it('refuses connections without an etcd process, and does not answer without an instance or a serving member', async () => {
    const { publish, boot, pass, post, world } = createZoneWorld();
    publish(['a', 'b', 'c']);
    boot('a');
    boot('b');
    world.kill('b');
    await pass(1);
    await expect(post('b', list, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(post('a', list, {})).rejects.toThrow('no answer within 20000 ms');
    world.vanish('b');
    await expect(post('b', list, {})).rejects.toThrow('no answer within 20000 ms');
  });

  it('waits for the gRPC deadline if there is no quorum', async () => {
    const { publish, boot, pass, world, clock } = createZoneWorld();
    publish(['a', 'b']);
    boot('a');
    boot('b');
    await pass(5);
    world.kill('b');
    const asked = clock.now();
    const answer = world.door.send({
      method: 'POST',
      url: `https://10.0.0.1:2379${list}`,
      headers: { 'grpc-timeout': '3S' },
      body: '{"linearizable":true}',
      timeoutMilliseconds: 5000,
    });
    const answered = answer.then(({ status }) => ({ status, after: clock.now() - asked }));
    await pass(10);
    expect(await answered).toEqual({ status: 504, after: 3000 });
  });

  it('breaks the connection if the member dies during its answer', async () => {
    const { publish, boot, pass, world } = createZoneWorld();
    publish(['a', 'b']);
    boot('a');
    boot('b');
    await pass(5);
    world.kill('b');
    const answer = world.door.send({
      method: 'POST',
      url: `https://10.0.0.1:2379${list}`,
      headers: {},
      body: '{"linearizable":true}',
      timeoutMilliseconds: 10_000,
    });
    answer.catch(() => undefined);
    await pass(1);
    world.kill('a');
    await pass(9);
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('presents the certificate of the member, even if it has expired', async () => {
    const answer = await askWith({ names: ['a.etcd.test'], serverName: 'a.etcd.test', validForSeconds: 0 });
    await expect(answer()).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  });

  it.each([
    ['a.etcd.test', 'a.etcd.test', true],
    ['*.etcd.test', 'a.etcd.test', true],
    ['*.etcd.test', 'etcd.test', false],
    ['*.etcd.test', 'a.b.etcd.test', false],
    ['b.etcd.test', 'a.etcd.test', false],
  ])('with a certificate for %s is asked as %s: %o', async (name, serverName, isTrusted) => {
    const answer = await askWith({ names: [name], serverName, validForSeconds: 60 });
    if (isTrusted) expect(await answer()).toMatchObject({ status: 200 });
    else await expect(answer()).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  async function askWith(asked: {
    readonly names: readonly string[];
    readonly serverName: string;
    readonly validForSeconds: number;
  }) {
    const authority = await createTestAuthority();
    const { certificate, key } = await authority.issue({ commonName: 'drover' });
    const server = { names: asked.names, validUntil: Date.now() + asked.validForSeconds * 1000 };
    const { publish, boot, pass, world, clock } = createZoneWorld({
      certificates: { authority: authority.certificate, serverAt: () => server },
    });
    clock.moveTo(Date.now());
    publish(['a']);
    boot('a');
    await pass(5);
    return () =>
      world.door.send({
        method: 'GET',
        url: `https://${addressOf('a')}:2379/health`,
        headers: {},
        timeoutMilliseconds: 1000,
        tls: {
          certificateAuthority: authority.certificate,
          clientCertificate: certificate,
          clientKey: key,
          serverName: asked.serverName,
        },
      });
  }

  it.each([
    ['/v3/nothing', {}, 404],
    ['/v3/cluster/member/remove', { ID: 'abc' }, 400],
    ['/v3/cluster/member/remove', {}, 400],
  ])('answers %s %o with %i', async (path, body, status) => {
    const { publish, boot, pass, post } = createZoneWorld();
    publish(['a']);
    boot('a');
    await pass(5);
    expect((await post('a', path, body)).status).toBe(status);
  });
});
