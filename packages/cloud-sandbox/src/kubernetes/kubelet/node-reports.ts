import { recordEvent } from '../controllers/events.ts';
import type { Registry } from '../registry/registry.ts';
import { microTimestamp } from '../store/object.ts';
import { type KubeletOptions, nodeObject, nodeStatus } from './node-object.ts';

/** Creates the Node if it is not there, and its Lease. */
export function registerNode(registry: Registry, options: KubeletOptions): void {
  const existing = registry.store.of('nodes').get(undefined, options.nodeName);
  if (existing === undefined) registry.create('nodes', nodeObject(options, registry.clock.now()));
  renewLease(registry, options.nodeName);
}

/** Posts a status with Ready True. False: there is no such Node any more. */
export function reportReady(registry: Registry, options: KubeletOptions): boolean {
  const { nodeName } = options;
  const node = registry.store.of('nodes').get(undefined, nodeName);
  if (node === undefined) return false;
  const status = nodeStatus(options, registry.clock.now(), true);
  registry.updateStatus('nodes', node, (found) => ({ ...found, status: { ...found.status, ...status } }));
  const message = `Node ${nodeName} status is now: NodeReady`;
  recordEvent(registry, {
    regarding: node,
    reason: 'NodeReady',
    message,
    component: 'kubelet',
    host: nodeName,
  });
  return true;
}

export function renewLease(registry: Registry, nodeName: string): void {
  const now = registry.clock.now();
  const leases = registry.store.of('leases.coordination.k8s.io');
  const spec = { holderIdentity: nodeName, leaseDurationSeconds: 40, renewTime: microTimestamp(now) };
  const existing = leases.get('kube-node-lease', nodeName);
  const metadata = { name: nodeName, namespace: 'kube-node-lease' };
  if (existing === undefined) registry.create('leases.coordination.k8s.io', { metadata, spec });
  else registry.update('leases.coordination.k8s.io', existing, (found) => ({ ...found, spec }));
}
