import type { PodStatus } from 'kubernetes-types/core/v1.d.ts';
import type { DroverWorld } from '../../local/world/drover-world.ts';

/** A type whose nodes have room for 234 pods: with the default type, pods of a full node would stay pending. */
export const largeNodes = { instanceType: 'm5.4xlarge' } as const;

/**
 * Call it before a measurement begins, while the cluster has only the nodes that leave: fewer pods would give figures that are too low.
 * @throws Error unless exactly so many pods are Running and Ready
 */
export function requirePods({ kubernetes }: DroverWorld, expected: number): void {
  const found = kubernetes.store
    .of('pods')
    .list()
    .filter(({ status }) => isReady(status)).length;
  if (found !== expected) throw new Error(`${found} of ${expected} pods are Running and Ready`);
}

const isReady = (status: PodStatus | undefined): boolean =>
  status?.phase === 'Running' &&
  (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');
