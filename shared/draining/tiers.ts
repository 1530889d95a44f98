import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isDaemonSetPod } from './pod-facts.ts';

/**
 * Karpenter's order of leaving: what others lean on goes last, and a tier is gone before the next one begins. DaemonSet
 * pods have their tiers for the few that are drained at all, orphans and those of which the operator asked it.
 */
export const tiers = ['non-critical', 'non-critical-daemonset', 'critical', 'critical-daemonset'] as const;

export type Tier = (typeof tiers)[number];

const criticalClasses = ['system-cluster-critical', 'system-node-critical'];

/** By its priority class and its kind of owner. */
export function tierOf(pod: Pod): Tier {
  const isCritical = criticalClasses.includes(pod.spec?.priorityClassName ?? '');
  if (isDaemonSetPod(pod)) return isCritical ? 'critical-daemonset' : 'non-critical-daemonset';
  return isCritical ? 'critical' : 'non-critical';
}

/** The first tier with a pod left in it. */
export const firstTier = (left: readonly { readonly tier: Tier }[]): Tier | undefined =>
  tiers.find((tier) => left.some((pod) => pod.tier === tier));
