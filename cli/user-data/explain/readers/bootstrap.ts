import { readKubeletFlags } from '../kubelet-flags.ts';
import { type Fact, fact, type Join, nothing, type Reading } from '../reading.ts';
import { flagsOf } from './flags.ts';

/** The flags of bootstrap.sh of Amazon Linux 2 (awslabs/amazon-eks-ami, `templates/al2/runtime/bootstrap.sh`). */
const bootstrapFlags: Readonly<Record<string, string>> = {
  '--b64-cluster-ca':
    'the authority of the cluster, for the kubeconfig of the kubelet; without it the node asks EKS',
  '--apiserver-endpoint': 'the API server, for the kubeconfig of the kubelet; without it the node asks EKS',
  '--dns-cluster-ip':
    'the name server of pods; without it 172.20.0.10 where the VPC is in 10.0.0.0/8, and 10.100.0.10 elsewhere',
  '--kubelet-extra-args': 'more flags of the kubelet',
  '--use-max-pods': 'false: the number of pods is not that of the table of instance types on the image',
  '--enable-docker-bridge': 'whether Docker has its bridge network',
  '--aws-api-retry-attempts': 'how often the node asks EKS for the cluster',
  '--docker-config-json': 'the configuration of Docker',
  '--containerd-config-file': 'the configuration of containerd',
  '--container-runtime': 'containerd or dockerd; only containerd from Kubernetes 1.24 on',
  '--pause-container-account': 'the account with the image of the pause container',
  '--pause-container-version': 'the version of the pause container',
  '--ip-family': 'ipv4 or ipv6',
  '--service-ipv6-cidr': 'the addresses of services, with IPv6',
  '--enable-local-outpost': 'the control plane runs on an Outpost',
  '--cluster-id': 'the cluster on an Outpost',
  '--mount-bpf-fs': 'whether /sys/fs/bpf is mounted',
  '--local-disks': 'what local disks become: raid0, raid10 or mount',
};

/** Flags of bootstrap.sh that the flavour gives too. */
const carried: ReadonlySet<string> = new Set([
  '--b64-cluster-ca',
  '--apiserver-endpoint',
  '--dns-cluster-ip',
  '--kubelet-extra-args',
  '--use-max-pods',
  '--ip-family',
  '--service-ipv6-cidr',
]);

/** `/etc/eks/bootstrap.sh` with its words. Pure. */
export function readBootstrap(words: readonly string[], at: string): Reading {
  const flags = flagsOf(words);
  const [cluster] = flags.operands;
  const extra = readKubeletFlags(
    // A substitution is one word.
    (flags.named.get('--kubelet-extra-args') ?? '').match(/(?:\$\([^()]{0,500}\)|\S)+/g) ?? [],
  );
  const hasTable = flags.named.get('--use-max-pods') !== 'false';
  const facts: readonly Fact[] = [
    fact(
      `${at}: /etc/eks/bootstrap.sh`,
      cluster,
      'becomes a node of this cluster of EKS, with the role of the instance',
    ),
    ...[...flags.named]
      .filter(([name]) => name !== '--kubelet-extra-args')
      .map(([name, value]) =>
        fact(
          name,
          name === '--docker-config-json' || bootstrapFlags[name] === undefined
            ? `(${value.length} characters)`
            : value,
          bootstrapFlags[name] ?? 'bootstrap.sh does not know this flag',
        ),
      ),
    ...extra.facts,
  ];
  return {
    ...nothing,
    facts,
    joins: [
      {
        by: 'bootstrap.sh',
        ...(cluster !== undefined && { cluster }),
        ...named('endpoint', flags.named.get('--apiserver-endpoint')),
        ...named('serviceCidr', flags.named.get('--service-ipv6-cidr')),
        ...named('clusterDns', flags.named.get('--dns-cluster-ip')),
        ...named('maxPods', extra.maxPods),
        labels: extra.labels,
        taints: extra.taints,
        kubeletFlags: extra.others,
        others: [
          ...[...flags.named.keys()].filter((name) => !carried.has(name)),
          ...(hasTable || extra.maxPods !== undefined ? [] : ['--use-max-pods']),
          ...extra.unexplained,
        ],
      },
    ],
    faults: [
      ...extra.faults,
      ...(hasTable && extra.maxPods !== undefined
        ? [
            '--max-pods is given twice: without --use-max-pods false, bootstrap.sh gives the number of its table too',
          ]
        : []),
      ...(cluster === undefined ? [`${at} gives bootstrap.sh no cluster`] : []),
    ],
  };
}

const named = (key: keyof Join, value: string | undefined): Partial<Join> =>
  value === undefined ? {} : { [key]: value };
