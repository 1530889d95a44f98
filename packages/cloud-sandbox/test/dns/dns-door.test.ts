import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import * as dns from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { type DnsDoor, type DnsDoorOptions, openDnsDoor } from '../../src/dns/wire/dns-door.ts';
import { recordSet } from '../aws/support/route53-fixture.ts';
import { createNameServers } from './support.ts';

const zone = 'example.internal';
const hosts = Array.from({ length: 40 }, (_, index) => `i-${index}.etcd.${zone}`);
const { answer } = createNameServers({
  [zone]: [
    recordSet(`_etcd-client._tcp.${zone}`, 'SRV', [`0 0 2379 ${hosts[0]}`]),
    recordSet(
      `_etcd-server._tcp.${zone}`,
      'SRV',
      hosts.map((host) => `0 0 2380 ${host}`),
    ),
    recordSet(hosts[0] ?? '', 'A', ['10.0.0.1']),
    recordSet(`t.${zone}`, 'TXT', [`"${'x'.repeat(255)}" "y"`]),
  ],
});

const doors: DnsDoor[] = [];
afterEach(async () => {
  await Promise.all(doors.splice(0).map((door) => door.close()));
});

async function openDoor(options: Partial<DnsDoorOptions> = {}) {
  const faults: unknown[] = [];
  const door = await openDnsDoor({
    port: 0,
    answer: async (message, transport) => answer(message, transport),
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  doors.push(door);
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([door.address]);
  return { door, resolver, faults };
}

test('a resolver finds SRV, address and TXT records, and uses TCP for a large answer', async () => {
  const { resolver } = await openDoor();
  const one = { name: hosts[0], port: 2379, priority: 0, weight: 0 };
  expect(await resolver.resolveSrv(`_ETCD-client._tcp.${zone}`)).toEqual([expect.objectContaining(one)]);
  expect(await resolver.resolveSrv(`_etcd-server._tcp.${zone}`)).toHaveLength(40);
  expect(await resolver.resolve4(hosts[0] ?? '', { ttl: true })).toEqual([{ address: '10.0.0.1', ttl: 60 }]);
  expect(await resolver.resolveTxt(`t.${zone}`)).toEqual([['x'.repeat(255), 'y']]);
  expect(await resolver.resolveSoa(zone)).toMatchObject({ hostmaster: 'awsdns-hostmaster.amazon.com' });
  await expect(resolver.resolve4(`none.${zone}`)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolver.resolve6(hosts[0] ?? '')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'EREFUSED' });
});

const query = (id: number): Buffer =>
  dns.encode({ id, type: 'query', questions: [{ name: hosts[0] ?? '', type: 'A' }] });
const framed = (id: number): Buffer => dns.streamEncode(dns.decode(query(id)));

test('a connection can carry several queries, in pieces', async () => {
  const { door } = await openDoor();
  const connection = connect(door.port, '127.0.0.1');
  const received: Buffer[] = [];
  connection.on('data', (chunk) => received.push(chunk));
  const bytes = Buffer.concat([framed(1), framed(2)]);
  for (const piece of [bytes.subarray(0, 1), bytes.subarray(1, 40), bytes.subarray(40)]) {
    connection.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => Buffer.concat(received).length).toBeGreaterThan(100);
  const all = Buffer.concat(received);
  const first = dns.streamDecode(all);
  const second = dns.streamDecode(all.subarray(2 + all.readUInt16BE(0)));
  expect(new Set([first.id, second.id])).toEqual(new Set([1, 2]));
  connection.destroy();
});

test('garbage on UDP or TCP does not affect other callers', async () => {
  const { door, resolver, faults } = await openDoor();
  const udp = createSocket('udp4');
  for (const garbage of ['', 'x', 'x'.repeat(60_000)]) udp.send(garbage, door.port, '127.0.0.1');
  const rude = connect(door.port, '127.0.0.1');
  rude.write(Buffer.from([0, 3, 1, 2, 3]));
  await once(rude, 'close');
  expect(await resolver.resolve4(hosts[0] ?? '')).toEqual(['10.0.0.1']);
  expect(faults).toEqual([]);
  udp.close();
});

test('a bug of the sandbox is SERVFAIL for the caller and reported to the operator', async () => {
  const fault = new Error('a fault');
  const { resolver, faults } = await openDoor({ answer: () => Promise.reject(fault) });
  await expect(resolver.resolve4(hosts[0] ?? '')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  expect(faults).toEqual([fault]);
});

test('a port that is in use for UDP or TCP is refused for both, and is free after the server is closed', async () => {
  const { door } = await openDoor();
  await expect(openDoor({ port: door.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const { port } = door;
  await doors.pop()?.close();
  const tcp = createServer().listen(port, '127.0.0.1');
  await once(tcp, 'listening');
  await expect(openDoor({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  tcp.close();
  await once(tcp, 'close');
  expect((await openDoor({ port })).door.port).toBe(port);
});
