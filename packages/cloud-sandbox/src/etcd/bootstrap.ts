import { findInitialCluster, socketOf } from './discovery.ts';
import { type EtcdFlags, type Exit, type InitialMember, isExit, type Resolve } from './flags.ts';
import { clusterIdOf, hexadecimal, memberIdOf } from './ids.ts';
import type { MemberRecord } from './quorum.ts';

/** What a member keeps on its disk, which is all that counts once it is there. */
export interface DataDirectory {
  readonly clusterId: string;
  readonly memberId: string;
  /** How far its log goes. */
  readonly match: number;
}

/** What the `/members` of a peer answers. */
export interface RemoteCluster {
  readonly clusterId: string;
  readonly members: readonly MemberRecord[];
}

export interface Surroundings {
  readonly resolve: Resolve;
  /** The cluster of the member that listens to peers there; undefined: there is none. */
  readonly remoteAt: (socket: string) => RemoteCluster | undefined;
}

/** The cluster of the member, and its co-founders if it starts the cluster. */
export interface Belonging {
  readonly clusterId: string;
  readonly memberId: string;
  readonly founders?: readonly MemberRecord[];
}

type Named = EtcdFlags & { readonly name: string };

const exit = (message: string): Exit => ({ code: 1, message });

/** The first boot of an empty data directory (etcd `etcdserver/bootstrap.go`). */
export function bootstrap(flags: Named, surroundings: Surroundings): Belonging | Exit {
  const found = findInitialCluster(flags, surroundings.resolve);
  if (isExit(found)) return found;
  const own = found.find(({ name }) => name === flags.name);
  if (own === undefined)
    return exit(
      `couldn't find local name ${JSON.stringify(flags.name)} in the initial cluster configuration`,
    );
  const look = { ...surroundings, flags, members: found, own, remote: remoteOf(found, own, surroundings) };
  return flags.initialClusterState === 'new' ? startCluster(look) : join(look);
}

interface Look extends Surroundings {
  readonly flags: Named;
  readonly members: readonly InitialMember[];
  readonly own: InitialMember;
  readonly remote: RemoteCluster | undefined;
}

/** The first of the others that answers, in the order of their URLs. */
function remoteOf(
  members: readonly InitialMember[],
  own: InitialMember,
  { resolve, remoteAt }: Surroundings,
): RemoteCluster | undefined {
  const urls = members.filter((member) => member !== own).map(({ peerUrl }) => peerUrl);
  return urls
    .sort()
    .flatMap((url) => socketOf(url, resolve) ?? [])
    .map(remoteAt)
    .find((remote) => remote !== undefined);
}

function startCluster({ flags, members, own, remote, resolve }: Look): Belonging | Exit {
  if (socketOf(own.peerUrl, resolve) !== socketOf(flags.peerUrl, resolve))
    return exit(
      `--initial-cluster has ${own.name}=${own.peerUrl} but missing from --initial-advertise-peer-urls=${flags.peerUrl}`,
    );
  const belonging = foundedBy(members, own, tokenOf(flags));
  const known = remote?.members.find(({ id }) => id === belonging.memberId);
  return known !== undefined && known.clientUrls.length > 0
    ? exit(`member ${hexadecimal(belonging.memberId)} has already been bootstrapped`)
    : belonging;
}

/** A cluster whose first members are these, as one of them sees it. */
export function foundedBy(members: readonly InitialMember[], own: InitialMember, token: string): Belonging {
  const founders = members.map(({ name, peerUrl }) => ({
    id: memberIdOf([peerUrl], token),
    name,
    peerUrls: [peerUrl],
    clientUrls: [],
    isLearner: false,
  }));
  const clusterId = clusterIdOf(founders.map(({ id }) => id));
  return { clusterId, memberId: memberIdOf([own.peerUrl], token), founders };
}

function join({ members, own, remote, resolve }: Look): Belonging | Exit {
  if (remote === undefined)
    return exit(
      'cannot fetch cluster info from peer urls: could not retrieve cluster information from the given URLs',
    );
  if (remote.members.length !== members.length)
    return exit('error validating peerURLs: member count is unequal');
  const socket = (url: string): string => socketOf(url, resolve) ?? url;
  const told = new Set(members.map(({ peerUrl }) => socket(peerUrl)));
  const stranger = remote.members.find(({ peerUrls }) => !peerUrls.every((url) => told.has(socket(url))));
  if (stranger !== undefined)
    return exit(
      `error validating peerURLs: PeerURLs: no match found for existing member (${hexadecimal(stranger.id)}, [${stranger.peerUrls.join(' ')}])`,
    );
  const self = remote.members.find(({ peerUrls }) =>
    peerUrls.some((url) => socket(url) === socket(own.peerUrl)),
  );
  if (self === undefined) return exit(`error validating peerURLs: no match found for ${own.peerUrl}`);
  return { clusterId: remote.clusterId, memberId: self.id };
}

export const tokenOf = ({ initialClusterToken = 'etcd-cluster' }: EtcdFlags): string => initialClusterToken;
