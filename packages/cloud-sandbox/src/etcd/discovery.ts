import { isIP } from 'node:net';
import type { EtcdFlags, Exit, InitialMember, Resolve } from './flags.ts';

/**
 * The first members as a booting etcd finds them (`embed.Config.PeerURLsMapAndToken`, `client/pkg/srv.GetCluster`): targets
 * that do not resolve are passed over without a word, and it knows itself by address and port, not by name.
 */
export function findInitialCluster(
  flags: EtcdFlags & { readonly name: string },
  resolve: Resolve,
): readonly InitialMember[] | Exit {
  if (flags.discoverySrv === undefined)
    return flags.initialCluster ?? [{ name: flags.name, peerUrl: flags.peerUrl }];
  const own = socketOf(flags.peerUrl, resolve);
  if (own === undefined) return exit(`lookup ${new URL(flags.peerUrl).hostname}: no such host`);
  const secure = fromRecords({ ...flags, scheme: 'https', own }, resolve);
  const plain = fromRecords({ ...flags, scheme: 'http', own }, resolve);
  const members = [...secure, ...plain];
  if (members.length === 0)
    return exit(
      `error querying DNS SRV records for _etcd-server-ssl lookup ${flags.discoverySrv}: no such host`,
    );
  return members.some(({ name }) => name === flags.name)
    ? members
    : exit(`cannot find local etcd member ${JSON.stringify(flags.name)} in SRV records`);
}

const exit = (message: string): Exit => ({ code: 1, message });

interface Look extends EtcdFlags {
  readonly name: string;
  readonly scheme: 'https' | 'http';
  readonly own: string;
}

function fromRecords(look: Look, resolve: Resolve): readonly InitialMember[] {
  const { name, scheme, own, discoverySrv = '', discoverySrvName, peerUrl } = look;
  const service = `${scheme === 'https' ? '_etcd-server-ssl' : '_etcd-server'}${discoverySrvName ? `-${discoverySrvName}` : ''}`;
  const found = resolve(`${service}._tcp.${discoverySrv}`, 'SRV').flatMap((value) => {
    const [, , port = '', target = ''] = value.split(' ');
    const host = target.replace(/\.$/, '');
    const socket = socketOf(`${scheme}://${host}:${port}`, resolve);
    if (socket === undefined) return [];
    const isOwn = socket === own;
    if (isOwn && new URL(peerUrl).protocol !== `${scheme}:`) return [];
    return [{ isOwn, peerUrl: `${scheme}://${host}:${port}` }];
  });
  let others = 0;
  return found.map(({ isOwn, peerUrl }) => {
    if (isOwn) return { name, peerUrl };
    others += 1;
    return { name: String(others - 1), peerUrl };
  });
}

/** `10.0.1.5:2380` of a URL, as its host resolves now; undefined if it does not. */
export function socketOf(url: string, resolve: Resolve): string | undefined {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = isIP(host) > 0 ? host : [...resolve(host, 'A'), ...resolve(host, 'AAAA')][0];
  return address === undefined ? undefined : `${address}:${port}`;
}
