import { callersOf } from '../../../real/etcd/callers.ts';
import { createTestAuthority } from '../../../real/test-authority.ts';
import type { EtcdDoor } from '../../../src/etcd/door.ts';
import type { Resolve } from '../../../src/etcd/flags.ts';
import { simulatedVersion } from '../../../src/etcd/gateway/maintenance.ts';
import { createEtcdWorld } from '../../../src/etcd/world.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { callsOf } from './calls.ts';
import { createMembers, instanceOf } from './members.ts';
import type { EtcdWorld } from './world.ts';
import type { DnsRecord } from './zone.ts';

const day = 86_400_000;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Lets simulated time pass until the answer has come. */
async function whileWaiting<T>(clock: VirtualClock, answer: Promise<T>): Promise<T> {
  const waiting = new Set([answer]);
  const settled = answer.finally(() => waiting.clear());
  settled.catch(() => undefined);
  for (await turn(); waiting.size > 0; await turn()) clock.step(clock.now() + 60_000);
  return await settled;
}

const drivenBy = (clock: VirtualClock, door: EtcdDoor): Pick<EtcdDoor, 'send' | 'stream'> => ({
  send: (request) => whileWaiting(clock, door.send(request)),
  stream: (request) => whileWaiting(clock, door.stream(request)),
});

/** The simulated members with mutual TLS, on a clock that runs only while a test waits for an answer. */
export async function createSimulatedEtcdWorld({
  withNames = false,
}: {
  readonly withNames?: boolean;
} = {}): Promise<EtcdWorld> {
  const clock = createVirtualClock();
  const authority = await createTestAuthority('etcd test', clock.now());
  const credentials = await callersOf(authority, clock.now());
  const hostAt = (address: string): string => `m${Number(address.split('.')[3]) - 10}.etcd.test`;
  const zone = { records: [] as readonly DnsRecord[] };
  const resolve: Resolve = (name, type) =>
    zone.records
      .filter((record) => record.name === name && record.type === type)
      .flatMap(({ values }) => values);
  const certificates = {
    authority: authority.certificate,
    serverAt: (address: string) => ({ names: [hostAt(address)], validUntil: clock.now() + day }),
  };
  const world = createEtcdWorld({ clock, random: createRandom(1), resolve, certificates });
  const access = { ...drivenBy(clock, world.door), credentials };

  return {
    ...access,
    ...callsOf(access),
    version: simulatedVersion,
    members: createMembers({ network: '10.0.0', withNames }),
    publish: async (records) => {
      zone.records = records;
    },
    start: async (member, start) => world.boot(member.name, instanceOf(member, start)),
    restore: async (member, snapshot) =>
      world.restore(member.name, instanceOf(member, { state: 'existing', with: [member] }), snapshot),
    kill: async ({ name }) => world.kill(name),
    restart: async ({ name }) => world.start(name),
    wipe: async ({ name }) => world.wipe(name),
    ended: ({ name }) => {
      const view = world.view(name);
      return view?.kind === 'exited' ? { code: view.exit.code, output: view.exit.message } : undefined;
    },
    pass: async (seconds) => {
      const end = clock.now() + seconds * 1000;
      while (clock.step(end)) await turn();
      clock.moveTo(end);
    },
  };
}
