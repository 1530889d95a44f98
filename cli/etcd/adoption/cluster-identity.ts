import { refusalOf } from '../../../shared/aws/errors.ts';
import type { ClusterConnection } from '../../../shared/kubernetes/connection.ts';
import type { Refusal } from '../../adopt/plan/step.ts';
import { compareClusters, storedServerOf } from '../../own-kubeconfig/target.ts';
import type { AdoptionObservation, KubernetesView } from './observation.ts';

type Read = Extract<KubernetesView, { readonly kind: 'read' }>;

/** Whether this machine's kubeconfig is one of the cluster that Drover's functions use, by their authorities. */
export async function compareWithStored(
  reached: Pick<ClusterConnection, 'server' | 'tls'>,
  readStored: () => Promise<string | undefined>,
): Promise<Read['stored']> {
  try {
    const text = await readStored();
    const stored = text === undefined ? undefined : await storedServerOf(text);
    return stored === undefined ? 'unknown' : compareClusters(stored, reached);
  } catch (error) {
    // It is a secret of the cluster, which who manages etcd need not read.
    if (refusalOf(error) === 'denied') return 'unknown';
    throw error;
  }
}

/**
 * What the flags of the API servers show: `same` if one of them names this etcd, `other` if all name another one, `unknown` if no API server
 * runs as a pod. Pure.
 */
function serversShow(
  { etcdServers }: Read,
  { instances, list, naming }: Pick<AdoptionObservation, 'instances' | 'list' | 'naming'>,
): 'same' | 'other' | 'unknown' {
  const asked = [...etcdServers.values()].flat().flatMap(hostOf);
  if (asked.length === 0) return 'unknown';
  const ours = new Set(
    [
      naming.domain,
      ...instances.flatMap(({ address = '', server }) => [
        address,
        ...(server?.kind === 'read' ? server.names : []),
      ]),
      ...(list?.members ?? []).flatMap(({ clientUrls }) => clientUrls.flatMap(hostOf)),
    ].map((name) => name.toLowerCase()),
  );
  const isLoopback = (host: string): boolean => /^(?:localhost$|127\.|\[?::1\]?$)/.test(host);
  const isOurs = (host: string): boolean =>
    !isLoopback(host) && (ours.has(host) || host.endsWith(`.${naming.domain.toLowerCase()}`));
  return asked.some(isOurs) ? 'same' : 'other';
}

const hostOf = (url: string): readonly string[] =>
  URL.canParse(url) ? [new URL(url).hostname.toLowerCase()] : [];

/** A kubeconfig of another cluster would show no stacked etcd, and no API server that reads this etcd. Pure. */
export function identityRefusals(observation: AdoptionObservation): readonly Refusal[] {
  const { kubernetes } = observation;
  if (kubernetes.kind === 'unread') return [];
  const shown = serversShow(kubernetes, observation);
  if (shown === 'same') return [];
  const remedy = 'give --kubeconfig or --context of the cluster that this etcd serves';
  if (kubernetes.stored === 'other')
    return [
      {
        subject: kubernetes.server,
        reason: `it is another cluster than that of the kubeconfig of Drover's functions, so that stacked etcd of kubeadm is not recognized`,
        remedy,
      },
    ];
  return shown === 'other' && kubernetes.stored === 'unknown'
    ? [
        {
          subject: kubernetes.server,
          reason: `its API servers read another etcd: ${[...new Set([...kubernetes.etcdServers.values()].flat())].join(', ')}`,
          remedy,
        },
      ]
    : [];
}

/** Pure. */
export function identityNotices(observation: AdoptionObservation): readonly string[] {
  const { kubernetes } = observation;
  if (kubernetes.kind === 'unread' || kubernetes.stored !== 'unknown') return [];
  return serversShow(kubernetes, observation) === 'unknown'
    ? [
        `nothing shows that ${kubernetes.server} of this machine's kubeconfig is the cluster that this etcd serves: check the context`,
      ]
    : [];
}
