import type { EtcdFlags } from '../../src/etcd/flags.ts';
import { createEtcdWorld, type EtcdView, type EtcdWorldOptions } from '../../src/etcd/world.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createVirtualClock } from '../../src/simulation/virtual-clock.ts';

type Records = Readonly<Record<string, readonly string[]>>;

/** Instances `a`, `b`, ... at 10.0.0.1, 10.0.0.2, ... whose host records and SRV sets are in a zone that the test writes. */
export function createZoneWorld(options: Partial<EtcdWorldOptions> = {}) {
  const clock = createVirtualClock();
  const zone = { records: {} as Records };
  const world = createEtcdWorld({
    clock,
    random: createRandom(1),
    resolve: (name, type) => zone.records[`${name} ${type}`] ?? [],
    ...options,
  });
  const pass = async (seconds: number): Promise<void> => {
    const end = clock.now() + seconds * 1000;
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (await turn(); clock.step(end); await turn());
    clock.moveTo(end);
  };
  return {
    world,
    clock,
    pass,
    /** The zone holds the hosts and the peers of these, and nothing else. */
    publish: (names: readonly string[], records: Records = {}) => {
      zone.records = { ...hosts(names), [`${sslPeers} SRV`]: names.map(srv), ...records };
    },
    boot: (name: string, flags: Partial<EtcdFlags> = {}, restartSeconds?: number) =>
      world.boot(name, {
        address: addressOf(name),
        dataDirectory: name,
        flags: () => ({ ...flagsOf(name), ...flags }),
        ...(restartSeconds !== undefined && { restartSeconds }),
      }),
    clusterIds: (names: readonly string[]) => names.map((name) => clusterIdOf(world.view(name))),
    post: async (name: string, path: string, body: unknown, timeoutMilliseconds = 20_000) => {
      const answer = world.door.send({
        method: 'POST',
        url: `https://${addressOf(name)}:2379${path}`,
        headers: {},
        body: JSON.stringify(body),
        timeoutMilliseconds,
      });
      answer.catch(() => undefined);
      await pass(timeoutMilliseconds / 1000);
      return await answer;
    },
  };
}

export const sslPeers = '_etcd-server-ssl._tcp.etcd.example.internal';
export const plainPeers = '_etcd-server._tcp.etcd.example.internal';
const hostOf = (name: string): string => `${name}.etcd.example.internal`;
export const addressOf = (name: string): string => `10.0.0.${name.charCodeAt(0) - 96}`;
export const srv = (name: string): string => `0 0 2380 ${hostOf(name)}`;

export const hosts = (names: readonly string[]): Records =>
  Object.fromEntries(names.map((name) => [`${hostOf(name)} A`, [addressOf(name)]]));

const flagsOf = (name: string): EtcdFlags => ({
  initialClusterState: 'new',
  peerUrl: `https://${hostOf(name)}:2380`,
  clientUrl: `https://${hostOf(name)}:2379`,
  discoverySrv: 'etcd.example.internal',
});

const clusterIdOf = (view: EtcdView | undefined): string | undefined =>
  view?.kind === 'running' ? view.clusterId : undefined;
