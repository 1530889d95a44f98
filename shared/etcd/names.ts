import type { EtcdMember } from './cluster.ts';

/** How the members of one etcd cluster are found: a discovery domain inside a Route 53 zone. */
export interface EtcdNaming {
  /** What members are told as `--discovery-srv`: `etcd.example.internal`, without a dot at its end. */
  readonly domain: string;
  /** With TLS (`_etcd-server-ssl._tcp`), without, or with and for clients without too. */
  readonly services: 'ssl' | 'plain' | 'both';
  /** `--discovery-srv-name`: `_etcd-server-ssl-<name>._tcp`. */
  readonly serviceName?: string;
}

export const peerPort = 2380;
export const clientPort = 2379;

/** The name that the records of one member stand under: `i-0123456789abcdef0.etcd.example.internal`. */
export const memberHost = (instanceId: string, { domain }: Pick<EtcdNaming, 'domain'>): string =>
  `${instanceId}.${domain}`;

const hostPattern = /^(i-(?:[0-9a-f]{8}|[0-9a-f]{17}))\.(.+)$/;

/** The instance whose host a name is; undefined for any other name. */
export function instanceOfHost(name: string, { domain }: Pick<EtcdNaming, 'domain'>): string | undefined {
  const [, instanceId, rest] = hostPattern.exec(name) ?? [];
  return rest === domain ? instanceId : undefined;
}

/** The instance behind a member, by the host of its first peer URL; undefined for one that is not ours. */
export function instanceOfMember(
  { peerUrls: [first = ''] }: Pick<EtcdMember, 'peerUrls'>,
  naming: Pick<EtcdNaming, 'domain'>,
): string | undefined {
  return URL.canParse(first) ? instanceOfHost(new URL(first).hostname, naming) : undefined;
}

/** Scheme, service label and port of every SRV set that members and clients look for (etcd `client/pkg/srv`). */
export interface SrvService {
  readonly name: string;
  readonly port: number;
}

/**
 * The names of the SRV sets of a cluster. Where there are both kinds the peers have but one set: a member reads both, and would
 * count everyone twice (etcd `server/embed/config.go`, GetDNSClusterNames).
 */
export function srvServices({ domain, services, serviceName }: EtcdNaming): readonly SrvService[] {
  const suffix = serviceName ? `-${serviceName}` : '';
  const named = (kind: 'server' | 'client', tls: '-ssl' | ''): SrvService => ({
    name: `_etcd-${kind}${tls}${suffix}._tcp.${domain}`,
    port: kind === 'server' ? peerPort : clientPort,
  });
  if (services === 'plain') return [named('server', ''), named('client', '')];
  const secure = [named('server', '-ssl'), named('client', '-ssl')];
  return services === 'ssl' ? secure : [...secure, named('client', '')];
}

/** The TXT set that says whose the domain is, and which cluster was born in it. */
export const markName = ({ domain }: Pick<EtcdNaming, 'domain'>): string => `_drover-etcd.${domain}`;

/** `https` wherever members speak TLS: a cluster that has both kinds of SRV sets is on its way to it. */
export const peerUrl = (host: string, { services }: Pick<EtcdNaming, 'services'>): string =>
  `${services === 'plain' ? 'http' : 'https'}://${host}:${peerPort}`;

export const clientUrl = (host: string, { services }: Pick<EtcdNaming, 'services'>): string =>
  `${services === 'plain' ? 'http' : 'https'}://${host}:${clientPort}`;
