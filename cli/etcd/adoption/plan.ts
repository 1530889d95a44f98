import type { MemberList } from '../../../shared/etcd/cluster.ts';
import { memberHost, peerUrl } from '../../../shared/etcd/names.ts';
import { alarmProblems } from '../../../shared/etcd/statuses.ts';
import type { Refusal } from '../../adopt/plan/step.ts';
import { identityNotices } from './cluster-identity.ts';
import { groupSteps } from './group-steps.ts';
import { hookNotices } from './hook-steps.ts';
import { certificateSteps, learnerSteps, urlSteps } from './member-steps.ts';
import { type AdoptionInstance, type AdoptionObservation, instanceOf } from './observation.ts';
import { refusalsOf } from './refusals.ts';

/** One step, in the order in which the steps are safe. */
export interface AdoptionStep {
  /** The same for the same step of a later plan. */
  readonly id: string;
  /** The member, hexadecimal; null for what all of them need once. */
  readonly member: string | null;
  readonly subject: string;
  readonly is: string;
  readonly shall: string;
  readonly risk: string;
  readonly commands: readonly string[];
}

export interface AdoptionPlan {
  readonly steps: readonly AdoptionStep[];
  readonly refusals: readonly Refusal[];
  readonly notices: readonly string[];
}

/**
 * What has to change before Drover manages an etcd that exists, or why it cannot. Whatever members need comes before Drover may act on
 * their groups; the mark, with which it begins to act, comes after that. Pure.
 */
export function planAdoption(observation: AdoptionObservation): AdoptionPlan {
  const refusals = refusalsOf(observation);
  const { list } = observation;
  if (refusals.length > 0 || list === undefined) return { steps: [], refusals, notices: [] };
  const members = inOrder(list, observation);
  const steps = [
    ...alarmSteps(list, observation),
    ...learnerSteps(members),
    ...authoritySteps(observation),
    ...nameSteps(members, observation),
    ...members.flatMap((one) => [...certificateSteps(one, observation), ...urlSteps(one, observation)]),
    ...observation.groups.flatMap((group) => groupSteps(group, observation)),
    ...markSteps(list, observation),
    ...serverSteps(observation),
  ];
  return {
    steps,
    refusals,
    notices: [
      ...noticesOf(members, observation),
      ...hookNotices(observation),
      ...identityNotices(observation),
    ],
  };
}

/** A member and the instance on which it runs. */
export interface PlacedMember {
  readonly member: MemberList['members'][number];
  readonly instance: AdoptionInstance;
}

const leads = ({ instance: { status } }: PlacedMember): boolean =>
  status.kind === 'answers' && status.leads === true;

/** The leader last: whatever goes wrong with a follower costs no election. */
function inOrder({ members }: MemberList, observation: AdoptionObservation): readonly PlacedMember[] {
  const placed = members.flatMap((member) => {
    const instance = instanceOf(member, observation);
    return instance ? [{ member, instance }] : [];
  });
  return placed.toSorted(
    (one, other) =>
      Number(leads(one)) - Number(leads(other)) ||
      one.instance.instanceId.localeCompare(other.instance.instanceId),
  );
}

function alarmSteps({ clusterId }: MemberList, { instances }: AdoptionObservation): readonly AdoptionStep[] {
  const statuses = new Map(instances.map(({ instanceId, status }) => [instanceId, status]));
  const alarms = alarmProblems(statuses, clusterId);
  if (alarms.length === 0) return [];
  return [
    {
      id: 'alarms',
      member: null,
      subject: 'alarms',
      is: alarms.join('; '),
      shall: 'none',
      risk: 'Kubernetes can write nothing while NOSPACE is raised. A member that was removed can have left its alarm behind',
      commands: ['etcdctl alarm list', 'etcdctl defrag --cluster', 'etcdctl alarm disarm'],
    },
  ];
}

function authoritySteps({ authority, clusterName, naming }: AdoptionObservation): readonly AdoptionStep[] {
  if (authority === 'same' || naming.services === 'plain') return [];
  return [
    {
      id: 'authority',
      member: null,
      subject: `/drover/${clusterName}/pki/etcd`,
      is:
        authority === 'missing'
          ? 'new members find no certificates'
          : 'its authority is another one than that of the members',
      shall: 'certificates for new members, of the authority that the members have',
      risk: 'none by itself: members that run do not read it',
      commands: [
        '# in an empty folder, with ca.crt and ca.key of this etcd in pki/etcd',
        `drover pki --domain ${naming.domain}`,
        `for file in ca.crt server.crt server.key peer.crt peer.key; do aws ssm put-parameter --type SecureString${authority === 'other' ? ' --overwrite' : ''} --name "/drover/${clusterName}/pki/etcd/$file" --value "file://pki/etcd/$file"; done`,
      ],
    },
  ];
}

/** Peers look the new names up as soon as a peer URL has one, and Drover publishes names only once it knows the cluster. */
function nameSteps(
  members: readonly PlacedMember[],
  observation: AdoptionObservation,
): readonly AdoptionStep[] {
  const { naming } = observation;
  const unnamed = members.flatMap((one) => urlSteps(one, observation));
  if (unnamed.length === 0) return [];
  return [
    {
      id: 'names',
      member: null,
      subject: '/etc/hosts of every member',
      is: 'not seen from here',
      shall: 'the names that Drover gives, until it publishes them',
      risk: 'a peer URL whose name does not resolve disconnects its member: check each host with getent hosts NAME before you go on',
      commands: members.map(
        ({ instance: { address = 'ADDRESS', instanceId } }) =>
          `echo '${address} ${memberHost(instanceId, naming)} ${naming.domain}' >> /etc/hosts`,
      ),
    },
  ];
}

function markSteps(
  { clusterId }: MemberList,
  { zone, clusterName, naming }: AdoptionObservation,
): readonly AdoptionStep[] {
  if (zone.mark !== undefined) return [];
  return [
    {
      id: 'mark',
      member: null,
      subject: naming.domain,
      is: 'no mark: Drover publishes nothing and completes no hook',
      shall: `the mark of cluster ${clusterId} and the records of its members`,
      risk: 'from now on Drover removes the member of an instance that terminates, and adds that of an instance that launches',
      commands: [
        `drover etcd adopt --cluster ${clusterName} --cluster-id ${clusterId} --dry-run`,
        `drover etcd adopt --cluster ${clusterName} --cluster-id ${clusterId}`,
        '# once the names resolve, remove the lines from /etc/hosts',
      ],
    },
  ];
}

/** Members are replaced under other names: an API server that lists members loses one endpoint with each. */
function serverSteps({ kubernetes, naming }: AdoptionObservation): readonly AdoptionStep[] {
  if (kubernetes.kind === 'unread') return [];
  const wanted = peerUrl(naming.domain, naming).replace(/:\d+$/, ':2379');
  return [...kubernetes.etcdServers]
    .filter(([, urls]) => !urls.includes(wanted))
    .map(([pod, urls]) => ({
      id: `api-server/${pod}`,
      member: null,
      subject: pod,
      is: `--etcd-servers=${urls.join(',')}`,
      shall: `--etcd-servers=${wanted}, the name of all members`,
      risk: 'this API server restarts. Without the change it loses etcd when the members that it lists have been replaced',
      commands: [
        `# on its node, once ${naming.domain} resolves: /etc/kubernetes/manifests/kube-apiserver.yaml`,
        'kubectl --namespace kube-system edit configmap kubeadm-config   # etcd.external.endpoints, for the next kubeadm upgrade',
      ],
    }));
}

function noticesOf(
  members: readonly PlacedMember[],
  { zone, naming }: AdoptionObservation,
): readonly string[] {
  const inZone = Map.groupBy(members, ({ instance }) => instance.availabilityZone);
  const quorum = Math.floor(members.length / 2) + 1;
  const [crowded] = [...inZone].filter(([, found]) => found.length >= quorum && members.length > 1);
  const hosts = members.filter(({ member: { clientUrls }, instance }) =>
    clientUrls.every(
      (url) => !URL.canParse(url) || new URL(url).hostname !== memberHost(instance.instanceId, naming),
    ),
  );
  return [
    ...(members.length === 1
      ? ['one member: each restart of it is an outage. Set the desired capacity to 3 after the adoption']
      : []),
    ...(members.length % 2 === 0
      ? [`${members.length} members tolerate no more failures than ${members.length - 1}`]
      : []),
    ...(crowded
      ? [
          `${crowded[1].length} of ${members.length} members are in ${crowded[0]}: without this zone there is no quorum`,
        ]
      : []),
    ...(zone.mark === undefined && hosts.length > 0
      ? [
          'client URLs may stay as they are: Drover asks members by address, and new members advertise their names',
        ]
      : []),
  ];
}
