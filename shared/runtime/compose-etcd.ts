import type { SQSBatchResponse } from 'aws-lambda';
import { autoScalingApi } from '../aws/api/auto-scaling-api.ts';
import { ec2Api } from '../aws/api/ec2-api.ts';
import { route53Api } from '../aws/api/route53-api.ts';
import { sqsApi } from '../aws/api/sqs-api.ts';
import { ssmApi } from '../aws/api/ssm-api.ts';
import { createAutoScaling } from '../aws/auto-scaling.ts';
import { createEc2 } from '../aws/ec2.ts';
import { removeGroupTag, setGroupTag } from '../aws/group-tags.ts';
import { createHostedZone } from '../aws/hosted-zone.ts';
import { createMemberParameters } from '../aws/member-states.ts';
import { createSqsQueue } from '../aws/sqs.ts';
import type { EtcdTerms } from '../etcd/decision.ts';
import { createEtcdMemory } from '../etcd/memory.ts';
import { readEtcdMessage } from '../etcd/message.ts';
import { clientUrl, memberHost, peerUrl } from '../etcd/names.ts';
import { etcdPass } from '../etcd/pass.ts';
import { reasonForSnapshot } from '../etcd/snapshots/keep-fresh.ts';
import { etcdStatusTagKey } from '../etcd/tell-groups.ts';
import type { EtcdWorld, MemberStates } from '../etcd/world.ts';
import { done } from '../lifecycle/outcome.ts';
import { rejectWhenAborted } from '../lifecycle/reject-when-aborted.ts';
import { awsConnection } from './aws-connection.ts';
import { composeEtcdCluster } from './compose-etcd-cluster.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { snapshotPlace } from './etcd-snapshot-place.ts';
import type { Host } from './host.ts';
import type { LambdaHandler } from './lambda.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createQueueHandler } from './queue/queue-handler.ts';

/**
 * The queue of etcd zones on a host.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeEtcd(host: Host): LambdaHandler<unknown, SQSBatchResponse> {
  const { clusterName, etcdQueueUrl, etcdDeadLetterQueueUrl } = readConfig(host.environment, [
    'clusterName',
    'etcdQueueUrl',
    'etcdDeadLetterQueueUrl',
  ]);
  const log = createLog(host, { function: 'etcd-membership' });
  const api = sqsApi(awsConnection(host));
  const queue = createSqsQueue({ api, queueUrl: etcdQueueUrl });
  const world = composeEtcdWorld(host, (what, error) => log.error(what, error));
  return createQueueHandler({
    work: 'etcd-membership',
    host,
    log,
    metrics: createMetrics(host, clusterName),
    queue: { ...queue, park: createSqsQueue({ api, queueUrl: etcdDeadLetterQueueUrl }).send },
    read: readEtcdMessage,
    pass: async ({ id }, signal) => {
      if (!world) return done('this deployment looks after no etcd');
      if (id !== world.terms.naming.domain)
        return done(`${id} is not the domain of this deployment any more`);
      return await etcdPass(whileInTime(world, signal));
    },
  });
}

/** The world of one pass: everything that it asks and does ends with its invocation. */
const whileInTime = (world: EtcdWorld, signal: AbortSignal): EtcdWorld => ({
  ...world,
  autoScaling: rejectWhenAborted(signal, world.autoScaling),
  ec2: rejectWhenAborted(signal, world.ec2),
  zone: rejectWhenAborted(signal, world.zone),
  states: rejectWhenAborted(signal, world.states),
  ...(world.cluster && { cluster: rejectWhenAborted(signal, world.cluster) }),
});

/**
 * All that passes over the zone read and act on; undefined where no domain is configured.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeEtcdWorld(host: Host, onTrouble: EtcdWorld['onTrouble']): EtcdWorld | undefined {
  const config = readConfig(host.environment, keys);
  if (!config.etcdDomain) return undefined;
  if (!config.etcdZoneId)
    throw new ConfigError([
      'DROVER_ETCD_ZONE_ID is not set: with DROVER_ETCD_DOMAIN it must name the hosted zone',
    ]);
  const terms = termsOf(config);
  const { clock } = host;
  const connection = awsConnection(host);
  const api = autoScalingApi(connection);
  const { etcdHookName, etcdLaunchHookName } = config;
  return {
    autoScaling: createAutoScaling({ api, clock, clusterName: terms.clusterName }),
    ec2: createEc2(ec2Api(connection)),
    zone: createHostedZone({ api: route53Api(connection), zoneId: config.etcdZoneId }),
    ...(terms.mode === 'members' && { cluster: composeEtcdCluster(host) }),
    ...snapshotGuard(host, terms),
    states: memberStates(host, terms, config.etcdMemberParameters),
    tellGroup: (autoScalingGroupName, words) => {
      const tag = { autoScalingGroupName, key: etcdStatusTagKey };
      return words === undefined ? removeGroupTag(api, tag) : setGroupTag(api, { ...tag, value: words });
    },
    clock,
    memory: createEtcdMemory(clock),
    onTrouble,
    terms,
    etcdHookName,
    etcdLaunchHookName,
  };
}

const termKeys = [
  'clusterName',
  'etcdDomain',
  'etcdMode',
  'etcdServices',
  'etcdServiceName',
  'etcdTtlSeconds',
] as const;

const keys = [
  ...termKeys,
  'etcdZoneId',
  'etcdHookName',
  'etcdLaunchHookName',
  'etcdClientParameter',
  'etcdMemberParameters',
  'etcdSnapshots',
  'etcdSnapshotMaxAgeSeconds',
] as const;

/** No member is removed without a fresh snapshot, unless backups are kept elsewhere or members are not looked after. */
function snapshotGuard(host: Host, { mode }: EtcdTerms): Pick<EtcdWorld, 'reasonForSnapshot'> {
  const place = mode === 'members' ? snapshotPlace(host) : undefined;
  if (!place) return {};
  return { reasonForSnapshot: (clusterId) => reasonForSnapshot({ ...place, clock: host.clock }, clusterId) };
}

/** How this deployment looks after etcd; undefined where it does not. */
export function etcdTerms(host: Pick<Host, 'environment'>): EtcdTerms | undefined {
  const config = readConfig(host.environment, termKeys);
  return config.etcdDomain ? termsOf(config) : undefined;
}

const termsOf = (config: Pick<Config, (typeof termKeys)[number]>): EtcdTerms => ({
  clusterName: config.clusterName,
  naming: {
    domain: config.etcdDomain,
    services: config.etcdServices,
    ...(config.etcdServiceName && { serviceName: config.etcdServiceName }),
  },
  ttlSeconds: config.etcdTtlSeconds,
  mode: config.etcdMode,
});

function memberStates(host: Host, { naming }: EtcdTerms, prefix: string): MemberStates {
  const parameters = createMemberParameters({ api: ssmApi(awsConnection(host)), prefix });
  return {
    publish: async ({ instanceId, state }) => {
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
      });
    },
    forget: (instanceId) => parameters.forget(instanceId),
  };
}
