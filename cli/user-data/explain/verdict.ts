import { quoted } from '../../../shared/base/shell-words.ts';
import type { Composed } from '../../adopt/user-data/compose.ts';
import type { Join, Reading } from './reading.ts';

/** What Drover would change of a user data: nothing, where its credential is, its flavour that does the same, whether a part can be added. Pure. */
export function verdictOn({ joins, credentials }: Reading, withPart: Composed): readonly string[] {
  const first = joins[0];
  return [
    ...joinVerdict(first, joins.slice(1)),
    ...(credentials.length > 0
      ? [
          'The credential would leave the user data: everybody who may describe the instance or its launch template reads it there, and it expires before the template does.',
        ]
      : []),
    withPart.kind === 'refused'
      ? `drover adopt cannot add a part to it: ${withPart.reason}.`
      : 'drover adopt GROUP --user-data FILE would add a part at its end; what is there stays letter by letter.',
  ];
}

const withIam: ReadonlySet<Join['by']> = new Set(['bootstrap.sh', 'nodeadm', 'Bottlerocket']);

function joinVerdict(join: Join | undefined, others: readonly Join[]): readonly string[] {
  if (join === undefined)
    return [
      'It says nothing about how the machine becomes a node: the image does that, or a part that is not read here. Drover needs no change of it for leaving nodes.',
    ];
  if (join.by === 'Drover')
    return ['drover user-data made it: the machine reads its credential when it boots.'];
  if (join.by === 'openshift-ansible')
    return [
      `Drover’s flavour reads the same credential from Parameter Store: drover user-data openshift-3.11 --cluster NAME`,
    ];
  if (join.by === 'kubeadm')
    return [
      `Drover’s flavour joins with a token that is read when the machine boots: drover user-data kubeadm --cluster NAME --kubernetes-version VERSION`,
    ];
  const all = combined(join, others);
  return [
    'It joins with the role of the instance, so Drover needs no change of it: leaving nodes, holds and schedules work with it as it is.',
    `Drover’s flavour does the same: ${commandOf(all)}`,
    ...(join.by === 'bootstrap.sh'
      ? [
          'AWS makes no images of Amazon Linux 2 from Kubernetes 1.33 on: eks-al2023 is the flavour that follows.',
        ]
      : []),
    ...(withIam.has(join.by) && join.by !== 'Bottlerocket'
      ? [
          'In a warm pool the kubelet of this user data starts while the machine is in the pool; that of Drover’s flavour waits.',
        ]
      : []),
  ];
}

/** nodeadm merges its documents, and the last one wins. */
const combined = (first: Join, others: readonly Join[]): Join =>
  others.reduce<Join>(
    (all, one) => ({
      ...all,
      ...one,
      labels: [...all.labels, ...one.labels],
      taints: [...all.taints, ...one.taints],
      kubeletFlags: [...all.kubeletFlags, ...one.kubeletFlags],
    }),
    first,
  );

const flavourOf = { 'bootstrap.sh': 'eks-al2', nodeadm: 'eks-al2023', Bottlerocket: 'bottlerocket' } as const;

function commandOf(join: Join): string {
  const flavour = flavourOf[join.by as keyof typeof flavourOf];
  const flags = [
    ['--cluster', join.cluster ?? 'NAME'],
    ['--endpoint', join.endpoint ?? 'URL'],
    ['--certificate-authority', 'ca.crt'],
    ['--service-cidr', join.serviceCidr ?? 'CIDR'],
    ...(join.by === 'bootstrap.sh' ? [['--kubernetes-version', 'VERSION']] : []),
    ...(join.clusterDns === undefined ? [] : [['--cluster-dns', join.clusterDns]]),
    ...(join.maxPods === undefined ? [] : [['--max-pods', join.maxPods]]),
    ...join.labels.map((label) => ['--label', label]),
    ...join.taints.map((taint) => ['--taint', taint]),
    ...(join.by === 'Bottlerocket' ? [] : join.kubeletFlags.map((flag) => ['--kubelet-flag', flag])),
  ];
  return `drover user-data ${flavour} ${flags.map(([name = '', value = '']) => `${name} ${/^[\w@%+=:,./-]+$/.test(value) ? value : quoted(value)}`).join(' ')}`;
}
