import { request } from '../../../local/world/workloads.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import type { Scene } from './live-history.ts';
import type { Step } from './plan/history.ts';

/** A real kubelet reports every ten seconds. */
const reportMilliseconds = 10_000;
const instanceId = 'i-0fedcba987654321f';
const name = 'ip-10-9-9-9.eu-west-1.compute.internal';

/**
 * Registers a Node with a mark of Drover for an instance that neither Auto Scaling nor EC2 knows, for example because EC2 answers from a
 * part of its data (aws/karpenter-provider-aws#1684), and lets its kubelet report for a while.
 */
export async function addUnknownMachine(
  { world, census, record }: Scene,
  { autoScalingGroupName, seconds }: Extract<Step, { readonly kind: 'unknown-machine' }>,
): Promise<void> {
  const { clock, kubernetes } = world;
  const since = new Date(clock.now()).toISOString();
  const mark = formatLeavingMark({
    cause: 'terminating',
    instanceId,
    since,
    renewedAt: since,
    before: { unschedulable: false, excludedFromLoadBalancers: false },
    waitingFor: [],
  });
  const condition = () => ({
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    lastHeartbeatTime: new Date(clock.now()).toISOString(),
  });
  await request(world, 'POST', '/api/v1/nodes', {
    metadata: { name, annotations: { [leavingAnnotation]: mark } },
    spec: { providerID: `aws:///eu-west-1a/${instanceId}`, unschedulable: true },
  });
  const resident = census.find(instanceId);
  if (resident) resident.autoScalingGroupName = autoScalingGroupName;
  const end = clock.now() + seconds * 1000;
  const report = (): void => {
    const node = kubernetes.store.of('nodes').get(undefined, name);
    if (node === undefined || clock.now() > end) return;
    kubernetes.registry.updateStatus('nodes', node, (found) => ({
      ...found,
      status: { ...found.status, conditions: [condition()] },
    }));
    clock.after(reportMilliseconds, report);
  };
  report();
  clock.after(seconds * 1000, () => record(`HISTORY the kubelet of ${name} falls silent`));
}
