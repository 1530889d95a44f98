import { setTimeout as sleep } from 'node:timers/promises';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type KubeletOptions, nodeStatus } from '../../../src/kubernetes/kubelet/node-object.ts';
import type { ClusterAdmin } from '../admin.ts';
import type { RealKubelet } from './real-kubelet.ts';

interface Machine {
  readonly node: KubeletOptions;
  readonly kubelet: RealKubelet;
}

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';
const pollMilliseconds = 200;

/**
 * What cloud-provider-aws does to a new Node: writes every private address of its instance and its names into the status,
 * and removes the taint that keeps pods away until then.
 */
export async function initializeNode(admin: ClusterAdmin, { node, kubelet }: Machine): Promise<void> {
  const path = `/api/v1/nodes/${node.nodeName}`;
  while (kubelet.alive) {
    const { status, body } = await send(admin, 'GET', path);
    if (status === 200) {
      const { addresses } = nodeStatus(node, 0, true);
      await send(admin, 'PATCH', `${path}/status`, { status: { addresses } });
      const { spec }: Node = JSON.parse(body);
      const taints = (spec?.taints ?? []).filter(({ key }) => key !== uninitialized);
      await send(admin, 'PATCH', path, { spec: { taints } });
      return;
    }
    await sleep(pollMilliseconds);
  }
}

const send = (
  { sendHttp, server, token }: ClusterAdmin,
  method: 'GET' | 'PATCH',
  path: string,
  body?: object,
) =>
  sendHttp({
    method,
    url: `${server}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' },
    timeoutMilliseconds: 30_000,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
