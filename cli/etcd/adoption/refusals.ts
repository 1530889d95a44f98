import { shellWord } from '../../../shared/base/shell-words.ts';
import { type EtcdMember, hasStarted } from '../../../shared/etcd/cluster.ts';
import { clientPort, peerPort, peerUrl } from '../../../shared/etcd/names.ts';
import { alarmProblems, versionProblems } from '../../../shared/etcd/statuses.ts';
import { clusterTag, eksNodegroupOf } from '../../../shared/groups/group.ts';
import { tagValues } from '../../adopt/plan/role.ts';
import type { Refusal } from '../../adopt/plan/step.ts';
import { identityRefusals } from './cluster-identity.ts';
import {
  type AdoptionObservation,
  type GroupToAdopt,
  hexadecimal,
  instanceOf,
  wordsOf,
} from './observation.ts';

const wayOut = 'docs/etcd.md#from-stacked-etcd-of-kubeadm';

/** Why this etcd cannot be adopted as it is. While there is a reason, no step is safe. Pure. */
export const refusalsOf = (observation: AdoptionObservation): readonly Refusal[] => [
  ...identityRefusals(observation),
  ...stackedRefusals(observation),
  ...groupRefusals(observation),
  ...zoneRefusals(observation),
  ...clusterRefusals(observation),
];

const refusal = (subject: string, reason: string, remedy: string | null = null): Refusal => ({
  subject,
  reason,
  remedy,
});

/** kubeadm manages such a member itself, and writes its certificates and its manifest again with each upgrade. */
function stackedRefusals({ kubernetes, instances }: AdoptionObservation): readonly Refusal[] {
  if (kubernetes.kind === 'unread')
    return [
      refusal(
        'the API server',
        `it cannot be read, so that stacked etcd of kubeadm is not recognized: ${kubernetes.why}`,
        'give --kubeconfig or --context of the cluster that this etcd serves',
      ),
    ];
  const ids = new Set(instances.map(({ instanceId }) => instanceId));
  return [...kubernetes.stacked].flatMap(([node, instanceId]) =>
    instanceId === undefined || ids.has(instanceId)
      ? [
          refusal(
            node,
            instanceId === undefined
              ? 'a member of etcd runs on it as a static pod (stacked etcd of kubeadm), and neither a providerID nor an address shows whether it is an instance of the groups'
              : 'a member of etcd runs on it as a static pod (stacked etcd of kubeadm): kubeadm join adds members by address, and kubeadm upgrade writes certificates without the names that Drover gives',
            `keep its group out of Drover, or move to a new group with etcd beside its API servers: ${wayOut}`,
          ),
        ]
      : [],
  );
}

function groupRefusals({
  groups,
  unknownGroups,
  clusterName,
  list,
}: AdoptionObservation): readonly Refusal[] {
  const desired = groups.reduce((sum, one) => sum + one.desiredCapacity, 0);
  const voters = list?.members.length ?? desired;
  return [
    ...unknownGroups.map((name) =>
      refusal(name, 'there is no such Auto Scaling group', 'check the name and the region'),
    ),
    ...(groups.length === 0 && unknownGroups.length === 0
      ? [
          refusal(
            'the groups',
            'no group was named, and none has the role etcd',
            'drover etcd adopt GROUP... --plan',
          ),
        ]
      : []),
    ...groups.flatMap((group) => groupRefusal(group, clusterName)),
    ...(desired === voters || groups.length === 0
      ? []
      : [
          refusal(
            'the groups',
            `they want ${desired} instances, and the cluster has ${voters} members: Drover would add or remove members right after the adoption`,
            'name all groups of this etcd, or set their desired capacities to its members',
          ),
        ]),
  ];
}

function groupRefusal(group: GroupToAdopt, clusterName: string): readonly Refusal[] {
  const subject = group.autoScalingGroupName;
  const tags = tagValues(group);
  if (eksNodegroupOf({ tags })) return [refusal(subject, 'EKS manages this group')];
  const prefix = clusterTag('');
  const other = Object.entries(tags).find(
    ([key, value]) => value === 'owned' && key.startsWith(prefix) && key !== clusterTag(clusterName),
  )?.[0];
  if (other !== undefined)
    return [
      refusal(
        subject,
        `cluster ${other.slice(prefix.length)} owns this group`,
        `give --cluster ${shellWord(other.slice(prefix.length))} if you mean that cluster`,
      ),
    ];
  const changing = group.instances.filter(({ lifecycleState }) => lifecycleState !== 'InService');
  if (changing.length > 0)
    return changing.map(({ instanceId, lifecycleState }) =>
      refusal(
        instanceId,
        `it is in ${lifecycleState}`,
        'wait until all instances of the group are in service',
      ),
    );
  if (group.hasWarmPool)
    return [
      refusal(
        subject,
        'it has a warm pool, whose instances would start etcd before Drover knows them',
        `aws autoscaling delete-warm-pool --auto-scaling-group-name ${shellWord(subject)}`,
      ),
    ];
  return group.launch.kind === 'configuration'
    ? [
        refusal(
          subject,
          `it uses the launch configuration ${group.launch.name}, which has no versions`,
          'move the group to a launch template',
        ),
      ]
    : [];
}

function zoneRefusals({ zone, clusterName, naming, list }: AdoptionObservation): readonly Refusal[] {
  const { mark, inTheWay } = zone;
  const foreign = inTheWay.map((record) =>
    refusal(
      record,
      'Drover needs this name, and did not make the record',
      'delete the record in Route 53, once nothing reads it',
    ),
  );
  if (mark === undefined) return foreign;
  if (mark.owner !== clusterName)
    return [
      refusal(
        naming.domain,
        `it belongs to ${mark.owner === undefined ? 'another tool' : `cluster ${mark.owner}`}, by its mark`,
        'give another --domain',
      ),
    ];
  if (mark.clusterId === undefined)
    return [
      refusal(
        naming.domain,
        'first members of another etcd are forming in this domain',
        'drover etcd rebirth --forming, if they are lost',
      ),
    ];
  return list !== undefined && mark.clusterId !== list.clusterId
    ? [
        refusal(
          naming.domain,
          `its etcd is ${mark.clusterId}, and ${list.clusterId} answers`,
          `drover etcd rebirth --cluster-id ${mark.clusterId}, if it is lost`,
        ),
      ]
    : [];
}

function clusterRefusals(observation: AdoptionObservation): readonly Refusal[] {
  const { list, failure, instances, groups } = observation;
  if (list === undefined)
    return groups.length === 0
      ? []
      : [
          refusal(
            'the cluster',
            `no member with quorum answers this machine: ${failure ?? 'none was asked'}`,
            'run this where port 2379 of the members can be reached. If quorum is lost, restore it first: nothing can be changed without it',
          ),
        ];
  const strangers = instances.filter(
    ({ status }) =>
      !list.members.some((member) => status.kind === 'answers' && status.memberId === member.id),
  );
  const statuses = new Map(instances.map(({ instanceId, status }) => [instanceId, status]));
  return [
    ...strangers.map(({ instanceId, status }) => strangerRefusal(instanceId, status, list.clusterId)),
    ...list.members.flatMap((member) => memberRefusal(member, observation)),
    ...versionRefusals(observation),
    ...versionProblems(statuses, list.clusterId).map((problem) =>
      refusal('the version', problem, 'upgrade one member at a time; go on once all are upgraded'),
    ),
    ...alarmProblems(statuses, list.clusterId)
      .filter((problem) => problem.includes('CORRUPT'))
      .map((problem) =>
        refusal('the data', problem, 'find the members whose data is right before you replace any'),
      ),
  ];
}

function strangerRefusal(
  instanceId: string,
  status: AdoptionObservation['instances'][number]['status'],
  clusterId: string,
): Refusal {
  if (status.kind === 'silent')
    return refusal(
      instanceId,
      `no member of the cluster answers on it: ${status.message}`,
      'let every member answer first: Drover changes one at a time, while all others serve',
    );
  return status.clusterId === clusterId
    ? refusal(
        instanceId,
        `its etcd has the id ${hexadecimal(status.memberId)}, which was removed from the cluster`,
        'stop this etcd and replace the instance',
      )
    : refusal(
        instanceId,
        `an etcd of another cluster (${status.clusterId}) answers on it`,
        'stop it and delete its data directory, then add it to the cluster as a learner',
      );
}

function memberRefusal(member: EtcdMember, observation: AdoptionObservation): readonly Refusal[] {
  const subject = wordsOf(member);
  if (!hasStarted(member))
    return [
      refusal(
        subject,
        'it has never started, and blocks every other change of the members',
        `etcdctl member remove ${hexadecimal(member.id)}, if it does not start`,
      ),
    ];
  const instance = instanceOf(member, observation);
  if (instance === undefined)
    return [
      refusal(
        subject,
        'no instance of the groups answers as this member',
        'name the groups of all members. If its instance is gone, remove the member: etcdctl member remove ' +
          hexadecimal(member.id),
      ),
    ];
  const { status, peer } = instance;
  if (status.kind !== 'answers') return [];
  if (!status.healthy)
    return [
      refusal(
        subject,
        `it answers on ${instance.instanceId} and is not healthy`,
        'etcdctl endpoint health --cluster shows why',
      ),
    ];
  if (status.isLearner && !member.isLearner)
    return [
      refusal(
        subject,
        'the list calls it a voter, and it answers as a learner: the cluster has fewer votes than its list shows (etcd-io/etcd#18347, #21694)',
        'remove it and add it again',
      ),
    ];
  const urls = wrongPorts(member, observation);
  if (urls.length > 0)
    return [
      refusal(
        subject,
        `it uses ${urls.join(', ')}, and members of Drover listen on ${peerPort} and ${clientPort}`,
        'move the member to these ports',
      ),
    ];
  if (peer?.kind === 'unread')
    return [
      refusal(
        subject,
        `its peer certificate cannot be read: ${peer.why}`,
        `allow port ${peerPort} from here. Peers and clients need certificates of one authority, that of Drover's client certificate`,
      ),
    ];
  return [];
}

/** Of its URLs; also those of another scheme than that of the deployment. */
function wrongPorts(
  { peerUrls, clientUrls }: EtcdMember,
  { naming }: AdoptionObservation,
): readonly string[] {
  const { protocol } = new URL(peerUrl('host', naming));
  const isWrong = (url: string, port: number): boolean => {
    if (!URL.canParse(url)) return true;
    const parsed = new URL(url);
    return parsed.port !== String(port) || parsed.protocol !== protocol;
  };
  return [
    ...peerUrls.filter((url) => isWrong(url, peerPort)),
    ...(clientUrls.some((url) => !isWrong(url, clientPort)) ? [] : clientUrls),
  ];
}

function versionRefusals({ instances, list }: AdoptionObservation): readonly Refusal[] {
  const versions = instances.flatMap(({ status }) =>
    status.kind === 'answers' && status.clusterId === list?.clusterId ? [status.version] : [],
  );
  const minors = new Set(versions.map((version) => version.split('.').slice(0, 2).join('.')));
  const early = [...minors].filter((minor) => {
    const [major = 0, number = 0] = minor.split('.').map(Number);
    return major < 3 || (major === 3 && number < 4);
  });
  if (early.length > 0)
    return [
      refusal(
        'the version',
        `etcd ${early.join(', ')} has no learners`,
        'upgrade to 3.4 or later, one minor version at a time',
      ),
    ];
  return minors.size > 1
    ? [
        refusal(
          'the version',
          `members run ${[...new Set(versions)].toSorted().join(' and ')}: an upgrade is not finished`,
          'finish the upgrade first',
        ),
      ]
    : [];
}
