import { parse } from 'smol-toml';
import { type Fact, fact, nothing, type Reading } from '../reading.ts';
import { secretsIn } from '../redact.ts';
import { type Fields, fieldsOf, scalarOf, textsOf } from '../yaml-map.ts';

/** Settings of Bottlerocket (bottlerocket.dev, "Settings reference"), by the beginnings of their names. */
const meanings: readonly (readonly [prefix: string, meaning: string])[] = [
  ['kubernetes.cluster-name', 'becomes a node of this cluster of EKS, with the role of the instance'],
  ['kubernetes.api-server', 'the API server'],
  ['kubernetes.cluster-certificate', 'the authority of the cluster'],
  ['kubernetes.cluster-dns-ip', 'the name server of pods'],
  ['kubernetes.max-pods', 'how many pods the node takes'],
  ['kubernetes.node-labels', 'a label of the Node'],
  ['kubernetes.node-taints', 'a taint of the Node'],
  ['kubernetes.bootstrap-token', 'the credential of the first request, outside EKS'],
  ['kubernetes.authentication-mode', 'aws: with the role of the instance; tls: with a bootstrap token'],
  ['kubernetes', 'a setting of the kubelet'],
  ['autoscaling.should-wait', 'the kubelet does not start while the machine is in a warm pool'],
  ['host-containers', 'a container beside Kubernetes, such as the one for administrators'],
  ['bootstrap-containers', 'a container that runs at boot, before the kubelet'],
  ['updates', 'how the machine updates itself'],
  ['motd', 'what a login shows'],
];

/** The TOML of Bottlerocket. Pure. */
export function readBottlerocket(text: string): Reading {
  const document = tomlOf(text);
  if (typeof document === 'string') return { ...nothing, faults: [document] };
  const settings = fieldsOf(document.settings);
  const kubernetes = fieldsOf(settings.kubernetes);
  const token = scalarOf(kubernetes['bootstrap-token']);
  const named = leaves(settings).filter(
    ([name, value]) => isSecret(name) && scalarOf(value) !== undefined && name !== bootstrapToken,
  );
  const kinds = secretsIn(text).filter(
    (kind) => kind !== 'a bootstrap token' && kind !== 'a password or a key',
  );
  return {
    ...nothing,
    facts: leaves(settings).map(([name, value]) => factOf(name, value)),
    // The settings of a machine of ECS, or those of containers only, say nothing about Kubernetes.
    joins:
      kubernetes['cluster-name'] === undefined && kubernetes['api-server'] === undefined
        ? []
        : [
            {
              ...joinOf(kubernetes),
              others: leaves(settings)
                .map(([name]) => name)
                .filter((name) => !isCarried(name)),
              ...(token !== undefined && { hasToken: true }),
            },
          ],
    credentials: [
      ...(token === undefined ? [] : ['settings.kubernetes.bootstrap-token holds a bootstrap token']),
      ...named.map(([name]) => `settings.${name} holds a password or a key`),
      ...kinds.map((kind) => `the settings hold ${kind}`),
    ],
    faults: [],
  };
}

function tomlOf(text: string): Fields | string {
  try {
    return parse(text);
  } catch (error) {
    return `it is not TOML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
  }
}

/** Each setting by its whole name, a table of a list by its number. Labels keep the dots of their keys. */
const leaves = (fields: Fields, prefix = ''): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(fields).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isTable =
      typeof value === 'object' &&
      value !== null &&
      !(value instanceof Date) &&
      (!Array.isArray(value) || value.some((one) => Object.keys(fieldsOf(one)).length > 0));
    return isTable ? leaves(value as Fields, name) : [[name, value] as const];
  });

const bootstrapToken = 'kubernetes.bootstrap-token';

const isSecret = (name: string): boolean =>
  /(?:token|secret|password|auth|[-_]key|aws\.credentials)$|secret[-_]access[-_]key/i.test(name) &&
  !isLabel(name);

const isLabel = (name: string): boolean => /^kubernetes\.node-(?:labels|taints)\./.test(name);

/** The user data of containers and variables of the environment may hold any credential. */
const isUnshown = (name: string): boolean =>
  isSecret(name) || (/user[-_]?data|environment|credentials|motd/i.test(name) && !isLabel(name));

function factOf(name: string, value: unknown): Fact {
  const [, meaning] = meanings.find(([prefix]) => name.startsWith(prefix)) ?? [];
  return fact(
    name,
    meaning === undefined || isUnshown(name) ? aboutValue(value) : value,
    meaning ?? 'a setting that is not explained here',
  );
}

const aboutValue = (value: unknown): string =>
  typeof value === 'boolean'
    ? String(value)
    : `(${(scalarOf(value) ?? JSON.stringify(value)).length} characters)`;

const carried: ReadonlySet<string> = new Set([
  'kubernetes.cluster-name',
  'kubernetes.api-server',
  'kubernetes.cluster-certificate',
  'kubernetes.cluster-dns-ip',
  'kubernetes.max-pods',
  // The flavour sets them.
  'kubernetes.authentication-mode',
  'autoscaling.should-wait',
]);

const isCarried = (name: string): boolean => carried.has(name) || isLabel(name);

function joinOf(kubernetes: Fields) {
  const text = (name: string): string | undefined =>
    scalarOf(kubernetes[name]) ?? (textsOf(kubernetes[name]).join(',') || undefined);
  const [cluster, endpoint, clusterDns, maxPods] = [
    'cluster-name',
    'api-server',
    'cluster-dns-ip',
    'max-pods',
  ].map(text);
  return {
    by: 'Bottlerocket',
    ...(cluster !== undefined && { cluster }),
    ...(endpoint !== undefined && { endpoint }),
    ...(clusterDns !== undefined && { clusterDns }),
    ...(maxPods !== undefined && { maxPods }),
    labels: Object.entries(fieldsOf(kubernetes['node-labels'])).map(
      ([key, value]) => `${key}=${scalarOf(value) ?? ''}`,
    ),
    taints: Object.entries(fieldsOf(kubernetes['node-taints'])).flatMap(([key, value]) =>
      [scalarOf(value) ?? textsOf(value)].flat().map((one) => `${key}=${one}`),
    ),
    kubeletFlags: [],
  } as const;
}
