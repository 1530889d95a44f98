import { instanceIdSource } from '../base/instance-id.ts';
import type { EtcdMember } from './cluster.ts';

/** How the members of one etcd cluster are found: a discovery domain inside a Route 53 zone. */
export interface EtcdNaming {
  /** `--discovery-srv` of the members: `etcd.example.internal`, without a trailing dot. */
  readonly domain: string;
  /** SRV sets with TLS (`_etcd-server-ssl._tcp`), without, or with TLS plus one for clients without TLS. */
  readonly services: 'ssl' | 'plain' | 'both';
  /** `--discovery-srv-name`: `_etcd-server-ssl-<name>._tcp`. */
  readonly serviceName?: string;
}

/** The longest `--discovery-srv-name` that Drover accepts. */
export const longestServiceName = 32;

/** A DNS name has 253 characters (RFC 1035). The longest name before the domain is that of an SRV set. */
export const longestDomain = 253 - ('_etcd-server-ssl-._tcp.'.length + longestServiceName);

export const peerPort = 2380;
export const clientPort = 2379;

/** The name of the records of one member: `i-0123456789abcdef0.etcd.example.internal`. */
export const memberHost = (instanceId: string, { domain }: Pick<EtcdNaming, 'domain'>): string =>
  `${instanceId}.${domain}`;

const hostPattern = new RegExp(`^(${instanceIdSource})\\.(.+)$`);

/** The instance that the host name of a member names; undefined for any other name. */
export function instanceOfHost(name: string, { domain }: Pick<EtcdNaming, 'domain'>): string | undefined {
  const [, instanceId, rest] = hostPattern.exec(name) ?? [];
  return rest === domain ? instanceId : undefined;
}

/** The instance behind a member, by the host of its first peer URL; undefined for a member that Drover did not add. */
export function instanceOfMember(
  { peerUrls: [first = ''] }: Pick<EtcdMember, 'peerUrls'>,
  naming: Pick<EtcdNaming, 'domain'>,
): string | undefined {
  return URL.canParse(first) ? instanceOfHost(new URL(first).hostname, naming) : undefined;
}

/** Name and port of an SRV set that members and clients look for (etcd `client/pkg/srv`). */
export interface SrvService {
  readonly name: string;
  readonly port: number;
}

/**
 * The SRV sets of a cluster. With `both`, peers still have one set: a member reads both sets, and would count every peer twice
 * (etcd `server/embed/config.go`, GetDNSClusterNames).
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

/** The TXT set with the owner of the domain, and the id of its cluster. */
export const markName = ({ domain }: Pick<EtcdNaming, 'domain'>): string => `_drover-etcd.${domain}`;

/** `https` also with `both`: such a cluster is moving its clients to TLS. */
export const peerUrl = (host: string, { services }: Pick<EtcdNaming, 'services'>): string =>
  `${services === 'plain' ? 'http' : 'https'}://${host}:${peerPort}`;

export const clientUrl = (host: string, { services }: Pick<EtcdNaming, 'services'>): string =>
  `${services === 'plain' ? 'http' : 'https'}://${host}:${clientPort}`;
