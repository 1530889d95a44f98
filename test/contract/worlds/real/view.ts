import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, Cloud } from '@drover/cloud-sandbox';
import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import type { RealNodes } from '@drover/cloud-sandbox/real/kubernetes/nodes/real-nodes.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { nodeTags } from '../instances.ts';
import type { Patience, World } from '../world.ts';

/** How often a condition is looked at. */
const stepMilliseconds = 250;

/** One case's view of a real cluster and of the account beside it. */
export function viewOf({
  cloud,
  admin,
  runStaticPod,
  ...of
}: Pick<World, 'namespace' | 'lines'> &
  Pick<RealNodes, 'runStaticPod'> & { readonly cloud: Cloud; readonly admin: ClusterAdmin }): World {
  const request: World['request'] = (method, path, body) =>
    requestOf(admin, { method, path, ...(body && { body }) });
  return {
    ...of,
    account: cloud.account,
    request,
    now: () => Date.now(),
    pass: (seconds) => sleep(seconds * 1000),
    until: untilHolds,
    kubelet: (instanceId) => {
      const kubelet = cloud.kubelets.get(instanceId);
      if (!kubelet) throw new RangeError(`no kubelet runs on ${instanceId}`);
      return kubelet;
    },
    runStaticPod: async (nodeName, manifest) => runStaticPod(nodeName, manifest),
    invoke: (functionName, event) => cloud.lambda.invoke(functionName, event),
    close: async () => {
      deleteGroups(cloud.account, of.namespace);
      const ofNamespace = `labelSelector=${encodeURIComponent(`${nodeTags.namespace}=${of.namespace}`)}`;
      await request('DELETE', `/api/v1/nodes?${ofNamespace}`);
      await request('DELETE', `/api/v1/namespaces/${of.namespace}`);
    },
  };
}

async function untilHolds(
  condition: () => boolean | Promise<boolean>,
  { withinSeconds, what }: Patience,
): Promise<void> {
  const end = performance.now() + withinSeconds * 1000;
  while (!(await condition())) {
    if (performance.now() >= end) throw new Error(`${what} did not happen within ${withinSeconds} seconds`);
    await sleep(stepMilliseconds);
  }
}

function deleteGroups({ autoScaling }: Account, namespace: string): void {
  for (const { AutoScalingGroupName = '' } of autoScaling.operations.DescribeAutoScalingGroups({})
    .AutoScalingGroups)
    if (AutoScalingGroupName.startsWith(`${namespace}-`))
      autoScaling.operations.DeleteAutoScalingGroup({ AutoScalingGroupName, ForceDelete: true });
}
