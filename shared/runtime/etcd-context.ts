import { createAutoScaling } from '../aws/auto-scaling.ts';
import { cached, withFewerCalls } from '../aws/cached.ts';
import { autoScalingClient, ec2Client, route53Client, ssmClient } from '../aws/clients.ts';
import { createEc2 } from '../aws/ec2.ts';
import { removeGroupTag, setGroupTag } from '../aws/group-tags.ts';
import { createHostedZone } from '../aws/hosted-zone.ts';
import { createMemberParameters } from '../aws/member-states.ts';
import { createParameterStore } from '../aws/parameters.ts';
import { type EtcdClientCredentials, readEtcdClientCredentials } from '../etcd/client-credentials.ts';
import type { EtcdCluster } from '../etcd/cluster.ts';
import type { EtcdContext, MemberStates } from '../etcd/context.ts';
import type { EtcdSettings } from '../etcd/decision.ts';
import { etcdStatusTagKey } from '../etcd/groups.ts';
import { createEtcdMemory } from '../etcd/memory.ts';
import { clientUrl, memberHost, peerUrl } from '../etcd/names.ts';
import { staleSnapshotReason } from '../etcd/snapshots/keep-fresh.ts';
import { createEtcdCluster } from '../etcd-api/etcd-cluster.ts';
import { awsConnection } from './aws-connection.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { snapshotPlace } from './etcd-snapshot-place.ts';
import type { Host } from './host.ts';

/** The context of passes over the zone, before an invocation gives its signal. */
export interface ComposedContext extends EtcdContext {
  /** The cluster that a signal stops; undefined if Drover cannot reach etcd. */
  readonly clusterWith?: (signal?: AbortSignal) => EtcdCluster;
}

/**
 * The context of passes over the zone; undefined if no domain is configured.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeEtcdContext(
  host: Host,
  onProblem: EtcdContext['onProblem'],
): ComposedContext | undefined {
  const config = readConfig(host.environment, keys);
  if (!config.etcdDomain) return undefined;
  if (!config.etcdZoneId)
    throw new ConfigError([
      'DROVER_ETCD_ZONE_ID is not set: with DROVER_ETCD_DOMAIN it must name the hosted zone',
    ]);
  const settings = settingsOf(config);
  const { clock } = host;
  const connection = awsConnection(host);
  const client = autoScalingClient(connection);
  const { etcdHookName, etcdLaunchHookName } = config;
  const clusterWith = settings.mode === 'members' ? composeEtcdCluster(host) : undefined;
  return {
    autoScaling: withFewerCalls(createAutoScaling({ client, clusterName: settings.clusterName }), clock),
    ec2: createEc2(ec2Client(connection)),
    zone: createHostedZone({ client: route53Client(connection), zoneId: config.etcdZoneId }),
    cluster: clusterWith?.(),
    clusterWith,
    ...snapshotGuard(host, settings),
    states: memberStates(host, settings, config.etcdMemberParameters),
    setStatusTag: (autoScalingGroupName, value) => {
      const tag = { autoScalingGroupName, key: etcdStatusTagKey };
      return value === undefined ? removeGroupTag(client, tag) : setGroupTag(client, { ...tag, value });
    },
    clock,
    memory: createEtcdMemory(clock),
    onProblem,
    settings,
    etcdHookName,
    etcdLaunchHookName,
  };
}

const settingKeys = [
  'clusterName',
  'etcdDomain',
  'etcdMode',
  'etcdServices',
  'etcdServiceName',
  'etcdTtlSeconds',
] as const;

const keys = [
  ...settingKeys,
  'etcdZoneId',
  'etcdHookName',
  'etcdLaunchHookName',
  'etcdClientParameter',
  'etcdMemberParameters',
  'etcdSnapshots',
  'etcdSnapshotBucketOwner',
  'etcdSnapshotMaxAgeSeconds',
] as const;

/** No member is removed without a fresh snapshot, unless backups are kept elsewhere or Drover does not manage members. */
function snapshotGuard(host: Host, { mode }: EtcdSettings): Pick<EtcdContext, 'staleSnapshotReason'> {
  const place = mode === 'members' ? snapshotPlace(host) : undefined;
  if (!place) return {};
  return {
    staleSnapshotReason: (clusterId) => staleSnapshotReason({ ...place, clock: host.clock }, clusterId),
  };
}

/** How this deployment manages etcd; undefined if it does not. */
export function etcdSettings(host: Pick<Host, 'environment'>): EtcdSettings | undefined {
  const config = readConfig(host.environment, settingKeys);
  return config.etcdDomain ? settingsOf(config) : undefined;
}

const settingsOf = (config: Pick<Config, (typeof settingKeys)[number]>): EtcdSettings => ({
  clusterName: config.clusterName,
  naming: {
    domain: config.etcdDomain,
    services: config.etcdServices,
    serviceName: config.etcdServiceName || undefined,
  },
  ttlSeconds: config.etcdTtlSeconds,
  mode: config.etcdMode,
});

function memberStates(host: Host, { naming }: EtcdSettings, prefix: string): MemberStates {
  const parameters = createMemberParameters({ client: ssmClient(awsConnection(host)), prefix });
  return {
    publish: async ({ instanceId, state, token = '' }) => {
      const memberName = memberHost(instanceId, naming);
      await parameters.publish(instanceId, {
        version: 1,
        state,
        name: instanceId,
        domain: naming.domain,
        peerUrl: peerUrl(memberName, naming),
        clientUrl: clientUrl(memberName, naming),
        discoverySrv: naming.domain,
        discoverySrvName: naming.serviceName ?? '',
        initialClusterToken: token,
      });
    },
    forget: (instanceId) => parameters.forget(instanceId),
  };
}

/** A renewed certificate is used after at most this time. */
const credentialsSeconds = 300;

/** The members' gateways, with the client certificate from Parameter Store; a signal stops them between two requests. */
export function composeEtcdCluster(host: Host): (signal?: AbortSignal) => EtcdCluster {
  const credentials = etcdCredentials(host);
  return (signal) => createEtcdCluster({ send: host.sendHttp, credentials, signal });
}

/** One that has expired may have been replaced a moment ago. */
const expiredCredentialsSeconds = 10;

/** Reads the client certificate, at most every five minutes, or every ten seconds if it has expired. */
export function etcdCredentials(host: Host): () => Promise<EtcdClientCredentials> {
  const { etcdClientParameter } = readConfig(host.environment, ['etcdClientParameter']);
  const store = createParameterStore(ssmClient(awsConnection(host)));
  const read = cached({
    clock: host.clock,
    seconds: credentialsSeconds,
    read: async (name: string) => {
      const stored = await store.read(name);
      if (stored) return readEtcdClientCredentials(stored.value);
      throw new ConfigError([
        `DROVER_ETCD_CLIENT_PARAMETER names ${name}, which does not exist: drover pki upload publishes a client certificate there`,
      ]);
    },
  });
  return async () => {
    const kept = await read(etcdClientParameter);
    const now = host.clock.now();
    if (now < kept.notAfter) return kept;
    return await read(etcdClientParameter, now - expiredCredentialsSeconds * 1000 + 1);
  };
}
