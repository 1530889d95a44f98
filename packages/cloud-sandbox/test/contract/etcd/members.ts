import type { EtcdInstance } from '../../../src/etcd/machines.ts';
import type { Start, TestMember } from './world.ts';
import { discoveryDomain } from './zone.ts';

/** `m1` at `<network>.11`, and so on; with names, peers know one another by them. */
export function createMembers({
  network,
  withNames,
}: {
  readonly network: string;
  readonly withNames: boolean;
}): (count: number) => Promise<readonly TestMember[]> {
  let made = 0;
  const next = (): TestMember => {
    made += 1;
    const name = `m${made}`;
    const address = `${network}.${10 + made}`;
    const serverName = `${name}.${discoveryDomain}`;
    return {
      name,
      peerUrl: `https://${withNames ? serverName : address}:2380`,
      endpoint: { url: `https://${address}:2379`, serverName },
    };
  };
  return async (count) => Array.from({ length: count }, next);
}

export const instanceOf = ({ name, peerUrl, endpoint }: TestMember, start: Start): EtcdInstance => ({
  address: new URL(endpoint.url).hostname,
  dataDirectory: name,
  flags: () => ({
    name,
    peerUrl,
    clientUrl: endpoint.url,
    initialClusterState: start.state,
    ...(start.token !== undefined && { initialClusterToken: start.token }),
    ...('with' in start
      ? { initialCluster: start.with }
      : { discoverySrv: discoveryDomain, ...start.records }),
  }),
});
