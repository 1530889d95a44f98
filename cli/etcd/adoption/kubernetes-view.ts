import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { Api } from '../../../shared/kubernetes/api.ts';
import type { ConnectionSource } from '../../../shared/kubernetes/connection.ts';
import { listAll, nodeSchema, podSchema } from '../../../shared/kubernetes/lists.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import { compareWithStored } from './cluster-identity.ts';
import type { AdoptionInstance, KubernetesView } from './observation.ts';

type Addressed = Pick<AdoptionInstance, 'instanceId' | 'address'>;

/** How this machine reaches the API server, and how the functions do. */
interface Reached {
  readonly connections: ConnectionSource;
  /** The kubeconfig of the functions; undefined if there is none. */
  readonly readStored: () => Promise<string | undefined>;
}

/** What the API server says about etcd; `unread` with the reason if it does not answer. */
export async function observeKubernetes(
  api: Api,
  instances: readonly Addressed[],
  { connections, readStored }: Reached,
): Promise<KubernetesView> {
  const pods = (component: string): Promise<readonly Pod[]> =>
    listAll(api, {
      path: '/api/v1/namespaces/kube-system/pods',
      query: { labelSelector: `component=${component}` },
      schema: podSchema,
    });
  try {
    const reached = await connections.connect();
    const [nodes, members, servers] = await Promise.all([
      listAll(api, { path: '/api/v1/nodes', schema: nodeSchema }),
      pods('etcd'),
      pods('kube-apiserver'),
    ]);
    return {
      kind: 'read',
      stacked: stackedOn(members, { nodes, instances }),
      etcdServers: new Map(servers.flatMap((pod) => etcdServersOf(pod))),
      server: reached.server,
      stored: await compareWithStored(reached, readStored),
    };
  } catch (error) {
    return { kind: 'unread', why: messageOf(error) };
  }
}

/**
 * The instances of the Nodes that run a member as a static pod. A Node without a providerID, as without a cloud controller, is known by its
 * addresses. It is undefined if neither shows the instance, and left out if the addresses are those of none. Pure.
 */
export function stackedOn(
  members: readonly Pod[],
  { nodes, instances }: { readonly nodes: readonly Node[]; readonly instances: readonly Addressed[] },
): ReadonlyMap<string, string | undefined> {
  const byName = new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const found = new Map<string, string | undefined>();
  for (const { spec, status } of members) {
    if (spec?.nodeName === undefined) continue;
    const node = byName.get(spec.nodeName);
    const addresses = [
      ...(node?.status?.addresses ?? []).flatMap(({ type, address }) =>
        type === 'InternalIP' ? [address] : [],
      ),
      ...(status?.hostIP ? [status.hostIP] : []),
    ];
    const instanceId =
      instanceIdOf(node?.spec?.providerID) ??
      instances.find(({ address }) => address !== undefined && addresses.includes(address))?.instanceId;
    if (instanceId !== undefined || addresses.length === 0) found.set(spec.nodeName, instanceId);
  }
  return found;
}

function etcdServersOf({ metadata, spec }: Pod): readonly (readonly [string, readonly string[]])[] {
  const words = (spec?.containers ?? []).flatMap(({ command = [], args = [] }) => [...command, ...args]);
  const flag = words.find((word) => word.startsWith('--etcd-servers='));
  return flag === undefined ? [] : [[metadata?.name ?? '', flag.slice('--etcd-servers='.length).split(',')]];
}
