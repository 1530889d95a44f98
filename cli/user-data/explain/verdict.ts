import type { Composed } from '../../adopt/user-data/compose.ts';
import { equivalentOf } from './equivalent.ts';
import type { Join, Reading } from './reading.ts';

/** What Drover would change of a user data: nothing, where its credential is, its flavour that does the same, whether a part can be added. Pure. */
export function verdictOn(
  { joins, credentials }: Reading,
  { withPart, unread }: { readonly withPart: Composed; readonly unread: readonly string[] },
): readonly string[] {
  const [first, ...others] = joins;
  return [
    ...(first === undefined ? noJoin(unread) : joinVerdict(first, others)),
    ...(credentials.length > 0 ? [aboutCredentials(first)] : []),
    withPart.kind === 'refused'
      ? `drover adopt cannot add a part to it: ${withPart.reason}.`
      : 'drover adopt GROUP --user-data FILE would add a part at its end; what is there stays letter by letter.',
  ];
}

/** Drover moves the credential with which a node joins. What other programs need, it does not know. */
const aboutCredentials = (join: Join | undefined): string =>
  join?.by === 'kubeadm' || join?.by === 'openshift-ansible'
    ? 'The credential of the join would leave the user data: everybody who may describe the instance or its launch template reads it there, and it expires before the template does. Credentials of other programs would stay.'
    : 'Drover does not move these credentials: everybody who may describe the instance or its launch template reads them there. Read them when the machine boots, from Parameter Store or Secrets Manager.';

/** What is not read may join, so nothing is said for sure then. */
const noJoin = (unread: readonly string[]): readonly string[] =>
  unread.length === 0
    ? [
        'It says nothing about how the machine becomes a node: the image does that, or a program that it runs. Drover needs no change of it for leaving nodes.',
      ]
    : [
        `Whether it makes the machine a node is not known: ${unread.join(', ')} ${unread.length === 1 ? 'is' : 'are'} not read here.`,
      ];

function joinVerdict(join: Join, others: readonly Join[]): readonly string[] {
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
  if (join.hasToken)
    return [
      'It joins with a bootstrap token, outside EKS. Bottlerocket runs no scripts, so Drover has no flavour that reads the token at boot.',
    ];
  const { by } = join;
  const { command, left } = equivalentOf({ ...combined(join, others), by });
  return [
    'It joins with the role of the instance, so Drover needs no change of it: leaving nodes, holds and schedules work with it as it is.',
    `Drover’s flavour joins in the same way: ${command}`,
    ...(left.length === 0 ? [] : [`That command leaves out: ${left.join(', ')}.`]),
    ...(by === 'bootstrap.sh'
      ? [
          'AWS makes no images of Amazon Linux 2 from Kubernetes 1.33 on: eks-al2023 is the flavour that follows.',
        ]
      : []),
    ...(by === 'Bottlerocket'
      ? []
      : [
          'In a warm pool the kubelet of this user data starts while the machine is in the pool; that of Drover’s flavour waits.',
        ]),
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
      others: [...(all.others ?? []), ...(one.others ?? [])],
      kubeletFlags: [...all.kubeletFlags, ...one.kubeletFlags],
    }),
    first,
  );
