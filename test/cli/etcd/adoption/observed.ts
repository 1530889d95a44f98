import type {
  AdoptionInstance,
  AdoptionObservation,
  GroupToAdopt,
  PortCertificate,
} from '../../../../cli/etcd/adoption/observation.ts';
import type { EndpointStatus, EtcdMember } from '../../../../shared/etcd/cluster.ts';
import { answers, clusterId, id, member, settings } from '../../../support/etcd/observations.ts';

export const { naming, clusterName } = settings;

/** What a member has already of what Drover needs. */
export interface Done {
  readonly url?: boolean;
  readonly certificates?: boolean;
  readonly member?: Partial<EtcdMember>;
  readonly status?: Partial<Extract<EndpointStatus, { readonly kind: 'answers' }>>;
  readonly instance?: Partial<AdoptionInstance>;
}

export const certificate = (
  changes: Partial<Extract<PortCertificate, { readonly kind: 'read' }>> = {},
): PortCertificate => ({
  kind: 'read',
  commonName: 'etcd-peer',
  names: [naming.domain, `*.${naming.domain}`],
  isForClients: true,
  ...changes,
});

/** As kubeadm makes it on a machine of its own: named after the host. */
const hostCertificate = (number: number): PortCertificate =>
  certificate({ commonName: `host-${number}`, names: [`host-${number}`, 'localhost', `10.0.0.${number}`] });

export const instanceAt = (number: number, done: Done = {}): AdoptionInstance => ({
  instanceId: id(number),
  autoScalingGroupName: `etcd-${number}`,
  lifecycleState: 'InService',
  availabilityZone: `eu-west-1${'abc'[(number - 1) % 3]}`,
  address: `10.0.0.${number}`,
  status: answers({ memberId: String(number), ...done.status }),
  server: done.certificates ? certificate() : hostCertificate(number),
  peer: done.certificates ? certificate() : hostCertificate(number),
  ...done.instance,
});

const hook = {
  heartbeatTimeoutSeconds: 3600,
  globalTimeoutSeconds: 172_800,
  defaultResult: 'CONTINUE',
} as const;

export const groupAt = (number: number, isReady = false): GroupToAdopt => ({
  autoScalingGroupName: `etcd-${number}`,
  tags: new Map(
    isReady
      ? [
          [`kubernetes.io/cluster/${clusterName}`, { value: 'owned', propagates: true }],
          ['drover.dev/role', { value: 'etcd', propagates: false }],
        ]
      : [['Name', { value: 'etcd', propagates: true }]],
  ),
  instances: [{ instanceId: id(number), lifecycleState: 'InService' }],
  hooks: isReady
    ? [
        { lifecycleHookName: 'drover-etcd', transition: 'terminating', ...hook },
        {
          lifecycleHookName: 'drover-etcd-launch',
          transition: 'launching',
          ...hook,
          defaultResult: 'ABANDON',
        },
      ]
    : [],
  instanceRoleArns: [],
  launch: {
    kind: 'templates',
    templates: [
      {
        id: `lt-${number}`,
        name: 'etcd',
        version: '3',
        number: 3,
        userData: Buffer.from(
          isReady
            ? `#!/bin/bash\n/usr/local/sbin/drover-etcd ${naming.domain}`
            : '#!/bin/bash\nsystemctl start etcd',
        ),
        latest: { number: 3, description: '', userData: Buffer.from('') },
        otherGroups: [],
      },
    ],
  },
  desiredCapacity: 1,
  hasWarmPool: false,
});

/** An API server of the cluster of Drover's functions, which runs no etcd. */
export const readKubernetes = {
  kind: 'read',
  stacked: new Map<string, string | undefined>(),
  etcdServers: new Map<string, readonly string[]>(),
  server: 'https://api.test',
  stored: 'same',
} as const;

/** Three members of an etcd with addresses as peer URLs, each in a group of its own. */
export function observed(
  done: readonly Done[] = [{}, {}, {}],
  changes: Partial<AdoptionObservation> = {},
): AdoptionObservation {
  const numbers = done.map((_, index) => index + 1);
  return {
    clusterName,
    leavingHookName: 'drover-node-leaving',
    joiningHookName: 'drover-node-joining',
    etcdHookName: 'drover-etcd',
    etcdLaunchHookName: 'drover-etcd-launch',
    naming,
    groups: numbers.map((number) => groupAt(number)),
    unknownGroups: [],
    instances: numbers.map((number) => instanceAt(number, done[number - 1])),
    list: {
      clusterId,
      members: numbers.map((number) => {
        const one = done[number - 1];
        return member(number, {
          name: `host-${number}`,
          clientUrls: [`https://10.0.0.${number}:2379`],
          ...(!one?.url && { peerUrls: [`https://10.0.0.${number}:2380`] }),
          ...one?.member,
        });
      }),
    },
    failure: undefined,
    zone: { mark: undefined, inTheWay: [] },
    kubernetes: readKubernetes,
    authority: 'missing',
    ...changes,
  };
}
