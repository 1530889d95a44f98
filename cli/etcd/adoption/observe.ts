import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { describeGroups, readGroups } from '../../../shared/aws/auto-scaling.ts';
import { canVote, type EndpointStatus, type EtcdCluster, EtcdError } from '../../../shared/etcd/cluster.ts';
import type { EtcdContext } from '../../../shared/etcd/context.ts';
import { findZoneMark } from '../../../shared/etcd/mark.ts';
import { clientUrl, memberHost, peerPort } from '../../../shared/etcd/names.ts';
import { addressesOf } from '../../../shared/etcd/observe.ts';
import { planPublication } from '../../../shared/etcd/plan-records.ts';
import type { EtcdCredentials, SendGateway } from '../../../shared/etcd-api/http.ts';
import { roleOf } from '../../../shared/groups/group.ts';
import type { AdoptAccess } from '../../adopt/access.ts';
import { observeGroups } from '../../adopt/observe/groups.ts';
import { observeKubernetes } from './kubernetes-view.ts';
import type { AdoptionInstance, AdoptionObservation, GroupToAdopt, ZoneView } from './observation.ts';
import { readPortCertificate } from './port-certificate.ts';

export interface AdoptionAccess {
  readonly adopt: AdoptAccess;
  readonly etcd: EtcdContext;
  readonly cluster: EtcdCluster;
  readonly send: SendGateway;
  readonly credentials: () => Promise<EtcdCredentials>;
  /** The text of a parameter; undefined if there is none. */
  readonly readParameter: (name: string) => Promise<string | undefined>;
  /** The kubeconfig of Drover's functions; undefined if there is none. */
  readonly readStoredKubeconfig: () => Promise<string | undefined>;
}

/** Reads all that the plan of an adoption depends on, and changes nothing. */
export async function observeAdoption(
  names: readonly string[],
  access: AdoptionAccess,
): Promise<AdoptionObservation> {
  const { adopt, etcd } = access;
  const { autoScaling } = adopt;
  const { naming } = etcd.settings;
  const listed = await readGroups(autoScaling.client, autoScaling.clusterName);
  const asked =
    names.length > 0
      ? names
      : listed.filter((group) => roleOf(group) === 'etcd').map((group) => group.autoScalingGroupName);
  const { groups, unknownGroups } =
    asked.length === 0 ? { groups: [], unknownGroups: [] } : await observeGroups(asked, adopt, true);
  const sizes = await sizesOf(autoScaling.client, asked);
  const instances = await observeInstances(groups, access);
  const { list, failure } = await listMembers(instances, access);
  return {
    clusterName: autoScaling.clusterName,
    leavingHookName: autoScaling.leavingHookName,
    joiningHookName: autoScaling.joiningHookName,
    etcdHookName: autoScaling.etcdHookName,
    etcdLaunchHookName: autoScaling.etcdLaunchHookName,
    naming,
    groups: groups.map(
      (group): GroupToAdopt => ({
        ...group,
        desiredCapacity: 0,
        hasWarmPool: false,
        ...sizes.get(group.autoScalingGroupName),
      }),
    ),
    unknownGroups,
    instances,
    list,
    failure,
    zone: await observeZoneOf(instances, etcd),
    kubernetes: await observeKubernetes(adopt.api, instances, {
      connections: adopt.connections,
      readStored: access.readStoredKubeconfig,
    }),
    authority: await compareAuthority(access),
  };
}

/** Of the groups, also of those that no tag shows to be of the cluster. */
async function sizesOf(
  client: AutoScalingClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, Pick<GroupToAdopt, 'desiredCapacity' | 'hasWarmPool'>>> {
  const found =
    names.length === 0 ? [] : (await describeGroups(client, { AutoScalingGroupNames: [...names] })).groups;
  return new Map(
    found.map((group) => [
      group.autoScalingGroupName,
      { desiredCapacity: group.desiredCapacity, hasWarmPool: group.hasWarmPool === true },
    ]),
  );
}

/** One after the other: a client keeps few connections, each for one name. */
async function observeInstances(
  groups: readonly Pick<GroupToAdopt, 'autoScalingGroupName' | 'instances'>[],
  access: AdoptionAccess,
): Promise<readonly AdoptionInstance[]> {
  const found: AdoptionInstance[] = [];
  for (const { autoScalingGroupName, instances } of groups)
    for (const one of instances)
      found.push({ ...one, autoScalingGroupName, ...(await observeInstance(one.instanceId, access)) });
  return found;
}

async function observeInstance(
  instanceId: string,
  { etcd, cluster, send, credentials }: AdoptionAccess,
): Promise<Pick<AdoptionInstance, 'availabilityZone' | 'address' | 'status' | 'server' | 'peer'>> {
  const { naming } = etcd.settings;
  const described = await etcd.ec2.describeInstance(instanceId);
  const availabilityZone = described?.availabilityZone ?? '';
  const [address] = addressesOf(described);
  if (address === undefined)
    return {
      availabilityZone,
      address,
      status: { kind: 'silent', why: 'unreachable', message: 'EC2 knows no address of it' },
      server: undefined,
      peer: undefined,
    };
  const host = address.includes(':') ? `[${address}]` : address;
  const url = clientUrl(host, naming);
  const own = memberHost(instanceId, naming);
  const isPlain = naming.services === 'plain';
  const status = (serverName: string): Promise<EndpointStatus> => cluster.status({ url, serverName });
  if (isPlain)
    return { availabilityZone, address, status: await status(own), server: undefined, peer: undefined };
  const pems = await credentials();
  const server = await readPortCertificate(url, send, pems);
  const peer = await readPortCertificate(`https://${host}:${peerPort}`, send, pems);
  const first = await status(own);
  // Its certificate may not have our name yet. The authority has signed it, so it is asked by a name that it has.
  const other = server.kind === 'read' ? nameIn(server.names) : undefined;
  const isRefused = first.kind === 'silent' && first.why === 'certificate' && other !== undefined;
  return { availabilityZone, address, status: isRefused ? await status(other) : first, server, peer };
}

/** TLS asks for names, not for addresses (RFC 6066): one that a wildcard covers will do. */
function nameIn(names: readonly string[]): string | undefined {
  const [name] = names.filter((one) => /[a-z]/i.test(one) && !one.includes(':'));
  return name?.replace(/^\*/, 'drover');
}

async function listMembers(
  instances: readonly AdoptionInstance[],
  { cluster, etcd }: AdoptionAccess,
): Promise<Pick<AdoptionObservation, 'list' | 'failure'>> {
  const { naming } = etcd.settings;
  const voters = instances.filter(({ status }) => canVote(status));
  if (voters.length === 0) {
    const why = instances.map(
      ({ instanceId, status }) => `${instanceId}: ${status.kind === 'silent' ? status.message : 'no quorum'}`,
    );
    return { list: undefined, failure: why.join('; ') || undefined };
  }
  const endpoints = voters.flatMap(({ address = '', instanceId, server }) => {
    const host = address.includes(':') ? `[${address}]` : address;
    const own = memberHost(instanceId, naming);
    const names = server?.kind === 'read' ? server.names : [own];
    return [{ url: clientUrl(host, naming), serverName: names.includes(own) ? own : (nameIn(names) ?? own) }];
  });
  try {
    return { list: await cluster.members(endpoints), failure: undefined };
  } catch (error) {
    if (error instanceof EtcdError) return { list: undefined, failure: error.message };
    throw error;
  }
}

/** The mark of the domain, and the records with which a publication of these instances would collide. */
async function observeZoneOf(
  instances: readonly AdoptionInstance[],
  { zone, settings, clock }: EtcdContext,
): Promise<ZoneView> {
  const content = await zone.read(settings.naming.domain);
  const found = findZoneMark(content.records, settings.naming);
  const members = instances.flatMap(({ instanceId, address }) =>
    address === undefined ? [] : [{ instanceId, addresses: [address], state: 'existing' as const }],
  );
  const birth = { kind: 'born', clusterId: '0' } as const;
  const { plan } = planPublication({ zone: content, now: clock.now() }, { ...settings, birth, members });
  const mark =
    found === undefined
      ? undefined
      : found === 'foreign'
        ? { owner: undefined, clusterId: undefined }
        : {
            owner: found.clusterName,
            clusterId: found.birth.kind === 'born' ? found.birth.clusterId : undefined,
          };
  return {
    mark,
    inTheWay:
      mark === undefined ? plan.conflicts.map(({ type, name, why }) => `${type} ${name} (${why})`) : [],
  };
}

async function compareAuthority({
  adopt,
  credentials,
  readParameter,
  etcd,
}: AdoptionAccess): Promise<AdoptionObservation['authority']> {
  if (etcd.settings.naming.services === 'plain') return 'same';
  const published = await readParameter(`/drover/${adopt.autoScaling.clusterName}/pki/etcd/ca.crt`);
  if (published === undefined) return 'missing';
  return published.trim() === (await credentials()).certificateAuthority.trim() ? 'same' : 'other';
}
