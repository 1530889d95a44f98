import { labels } from '../nodes/labels.ts';
import { removedSince } from '../nodes/removed-flags.ts';
import { type Fact, fact } from './reading.ts';

/** Flags of the kubelet that user data commonly has (kubernetes.io, "kubelet"). */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'node-labels': 'labels of the Node, when it registers',
    'register-with-taints': 'taints of the Node, when it registers',
    'max-pods': 'how many pods the node takes',
    'cluster-dns': 'the name server of pods',
    'provider-id': 'how the cloud provider and Drover find the instance of the Node',
    'hostname-override': 'the name of the Node, instead of the host name',
    'node-ip': 'the address of the Node',
    'cloud-provider': 'external: a controller removes the taint of an uninitialized node',
    'kube-reserved': 'resources for the kubelet and the container runtime, which pods cannot use',
    'system-reserved': 'resources for the system, which pods cannot use',
    'eviction-hard': 'when the kubelet evicts pods at once',
    'eviction-soft': 'when the kubelet evicts pods after a while',
    'rotate-server-certificates': 'the kubelet requests a serving certificate, which something must approve',
    'rotate-certificates': 'the kubelet renews its client certificate',
    'bootstrap-kubeconfig': 'the file with the credential of the first request',
    kubeconfig: 'the file with which the kubelet speaks to the API server',
    config: 'the configuration file of the kubelet',
    'config-dir': 'the folder of drop-ins for the configuration file',
    'feature-gates': 'features that are on or off',
    'image-credential-provider-config': 'how the kubelet signs in to registries',
    'image-credential-provider-bin-dir': 'the programs that sign in to registries',
    'container-runtime-endpoint': 'the socket of the container runtime',
    'node-status-update-frequency': 'how often the kubelet reports',
    'allowed-unsafe-sysctls': 'kernel parameters that pods may set',
    'cpu-manager-policy': 'how pods get whole CPUs',
    'topology-manager-policy': 'how pods get CPUs and devices of one NUMA node',
    v: 'how much the kubelet logs',
  }),
);

/** Flags of a kubelet, as one text or a list. */
export interface KubeletFlags {
  readonly facts: readonly Fact[];
  readonly faults: readonly string[];
  readonly labels: readonly string[];
  readonly taints: readonly string[];
  readonly maxPods?: string;
  readonly others: readonly string[];
  /** Names of flags whose values are not shown. */
  readonly unexplained: readonly string[];
}

/** What flags of the kubelet do. `flags` are words such as `--max-pods=29` or `--max-pods`, `29`. Pure. */
export function readKubeletFlags(flags: readonly string[]): KubeletFlags {
  const pairs = pairsOf(flags);
  const valuesOf = (name: string): readonly string[] =>
    pairs.filter((pair) => pair.name === name).flatMap(({ value }) => value.split(',').filter(Boolean));
  const maxPods = valuesOf('max-pods').at(-1);
  return {
    facts: pairs.map(({ name, value }) => fact(`kubelet --${name}`, shownOf(name, value), meaningOf(name))),
    faults: [
      ...pairs.flatMap(({ name, value }) => removedFault(name, value)),
      ...labelFaults(valuesOf('node-labels')),
    ],
    labels: valuesOf('node-labels'),
    taints: valuesOf('register-with-taints'),
    ...(maxPods !== undefined && { maxPods }),
    others: pairs
      .filter(({ name }) => !ofJoins.includes(name) && meanings.get(name) !== undefined)
      .map(({ name, value }) => `${name}=${value}`),
    unexplained: pairs
      .filter(({ name }) => meanings.get(name) === undefined && removedSince(name) === undefined)
      .map(({ name }) => `kubelet --${name}`),
  };
}

const ofJoins = ['node-labels', 'register-with-taints', 'max-pods'];

/** A flag that is not known may hold a credential. */
const shownOf = (name: string, value: string): string =>
  name.endsWith('-password') || (meanings.get(name) === undefined && removedSince(name) === undefined)
    ? `(${value.length} characters)`
    : value;

const meaningOf = (name: string): string =>
  meanings.get(name) ?? 'a flag of the kubelet that is not explained here';

interface Pair {
  readonly name: string;
  readonly value: string;
}

function pairsOf(words: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let index = 0; index < words.length; index++) {
    const [, name, equals, rest = ''] = /^--?([\w-]+)(=?)([\s\S]*)$/.exec(words[index] ?? '') ?? [];
    if (name === undefined) continue;
    const next = words[index + 1];
    const isApart = equals === '' && next !== undefined && !next.startsWith('-');
    pairs.push({ name, value: isApart ? next : equals === '' ? 'true' : rest });
  }
  return pairs;
}

function removedFault(name: string, value: string): readonly string[] {
  if (name === 'cloud-provider' && value !== 'external' && value !== '')
    return [`kubelets have no --cloud-provider=${value} from Kubernetes 1.27 on, and do not start with it`];
  const since = removedSince(name);
  return since === undefined
    ? []
    : [`kubelets have no --${name} from Kubernetes ${since} on, and do not start with it`];
}

/** Labels with variables of the script in them cannot be judged. */
const labelFaults = (texts: readonly string[]): readonly string[] =>
  texts
    .filter((text) => !text.includes('$'))
    .flatMap((text) => {
      const [key = '', value = ''] = text.split('=');
      const result = labels.safeParse([{ key, value }]);
      return result.success ? [] : result.error.issues.map(({ message }) => `label ${text}: ${message}`);
    });
