import { readKubeletFlags } from '../kubelet-flags.ts';
import { type Fact, fact, type Join, merged, nothing, type Reading } from '../reading.ts';
import { secretsIn } from '../redact.ts';
import { type Fields, fieldsOf, listOf, scalarOf, textsOf, yamlMaps } from '../yaml-map.ts';

/** A NodeConfig of nodeadm: https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/. Pure. */
export const readNodeConfig = (text: string): Reading =>
  merged(
    yamlMaps(text).map((document) =>
      typeof document === 'string' ? { ...nothing, faults: [document] } : readDocument(document),
    ),
  );

const clusterMeanings: Readonly<Record<string, string>> = {
  name: 'becomes a node of this cluster of EKS, with the role of the instance',
  apiServerEndpoint: 'the API server',
  certificateAuthority: 'the authority of the cluster',
  cidr: 'the addresses of services; the tenth is the name server of pods',
  enableOutpost: 'the control plane runs on an Outpost',
  id: 'the cluster on an Outpost',
};

function readDocument(document: Fields): Reading {
  const spec = fieldsOf(document.spec);
  const cluster = fieldsOf(spec.cluster);
  const kubelet = fieldsOf(spec.kubelet);
  const config = fieldsOf(kubelet.config);
  const flags = readKubeletFlags(textsOf(kubelet.flags).flatMap((one) => one.trim().split(/\s+/)));
  return {
    ...nothing,
    credentials: secretsIn(JSON.stringify(spec)).map((kind) => `the NodeConfig holds ${kind}`),
    facts: [
      ...Object.entries(cluster).map(([name, value]) =>
        fact(
          `cluster.${name}`,
          clusterMeanings[name] === undefined ? keysOf(value) : value,
          clusterMeanings[name] ?? 'a field of the cluster that is not explained here',
        ),
      ),
      ...Object.entries(config).map(([name, value]) =>
        fact(
          `kubelet.config.${name}`,
          isOpen(name, value) ? value : keysOf(value),
          'the kubelet’s configuration, over what the image has',
        ),
      ),
      ...flags.facts,
      ...otherFacts(spec),
    ],
    joins: [{ ...joinOf({ cluster, config, flags }), others: othersOf(spec, flags.unexplained) }],
    faults: [
      ...flags.faults,
      ...(scalarOf(document.kind) === 'NodeConfig'
        ? []
        : ['nodeadm reads documents of kind NodeConfig only']),
    ],
  };
}

const isOpen = (name: string, value: unknown): boolean =>
  !/header/i.test(name) && secretsIn(JSON.stringify({ [name]: value })).length === 0;

/** Without the values, which may be credentials: variables of the environment, headers, and fields that nodeadm does not have. */
const keysOf = (value: unknown): string =>
  Object.entries(fieldsOf(value))
    .map(([key, inner]) => [key, Object.keys(fieldsOf(inner)).join(', ')].filter(Boolean).join(': '))
    .join('; ');

const otherFacts = (spec: Fields): readonly Fact[] => [
  ...Object.entries(fieldsOf(spec.instance)).map(([name, value]) =>
    fact(
      `instance.${name}`,
      name === 'environment' ? keysOf(value) : value,
      'what nodeadm does with disks and the environment of the machine',
    ),
  ),
  ...(spec.containerd === undefined
    ? []
    : [
        fact(
          'containerd',
          Object.keys(fieldsOf(spec.containerd)).join(', '),
          'the configuration of containerd',
        ),
      ]),
  ...(spec.featureGates === undefined
    ? []
    : [fact('featureGates', spec.featureGates, 'features of nodeadm')]),
];

const carried: ReadonlySet<string> = new Set([
  'cluster.name',
  'cluster.apiServerEndpoint',
  'cluster.certificateAuthority',
  'cluster.cidr',
  'kubelet.config.maxPods',
  'kubelet.config.clusterDNS',
  'kubelet.config.registerWithTaints',
]);

function othersOf(spec: Fields, flags: readonly string[]): readonly string[] {
  const kubelet = fieldsOf(spec.kubelet);
  const below = (name: string, fields: unknown) =>
    Object.keys(fieldsOf(fields)).map((key) => `${name}.${key}`);
  return [
    ...below('cluster', spec.cluster),
    ...below('kubelet.config', kubelet.config),
    ...flags,
    ...below('instance', spec.instance),
    ...below('containerd', spec.containerd),
    ...below('featureGates', spec.featureGates),
  ].filter((name) => !carried.has(name));
}

function joinOf({
  cluster,
  config,
  flags,
}: {
  readonly cluster: Fields;
  readonly config: Fields;
  readonly flags: ReturnType<typeof readKubeletFlags>;
}): Join {
  const taints = listOf(config.registerWithTaints).map((one) => {
    const { key, value, effect } = fieldsOf(one);
    return `${scalarOf(key) ?? ''}=${scalarOf(value) ?? ''}:${scalarOf(effect) ?? ''}`;
  });
  const clusterDns = textsOf(config.clusterDNS).join(',');
  const maxPods = scalarOf(config.maxPods) ?? flags.maxPods;
  const [name, endpoint, cidr] = [cluster.name, cluster.apiServerEndpoint, cluster.cidr].map(scalarOf);
  return {
    by: 'nodeadm',
    ...(name !== undefined && { cluster: name }),
    ...(endpoint !== undefined && { endpoint }),
    ...(cidr !== undefined && { serviceCidr: cidr }),
    ...(clusterDns !== '' && { clusterDns }),
    ...(maxPods !== undefined && { maxPods }),
    labels: flags.labels,
    taints: [...taints, ...flags.taints],
    kubeletFlags: flags.others,
  };
}
