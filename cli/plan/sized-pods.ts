import { emptySurroundings, plannedPodOf } from '../../shared/capacity/plan/pod.ts';
import { QuantityError } from '../../shared/capacity/plan/quantity.ts';
import { amountsOf } from '../../shared/capacity/plan/requests.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { AskedPods } from './report.ts';

/** What each pod of one size requests, as the flags say it. */
export interface PodSize {
  readonly cpu?: string;
  readonly memory?: string;
  readonly gpu?: number;
  readonly namespace?: string;
}

/**
 * Pods of one size that belong to no workload.
 *
 * @throws CliError `usage` without a size, or for a size that is not a quantity.
 */
export function sizedPods(count: number, { cpu, memory, gpu, namespace = 'default' }: PodSize): AskedPods {
  const requests: Readonly<Record<string, string>> = {
    ...(cpu !== undefined && { cpu: quantity('cpu', cpu) }),
    ...(memory !== undefined && { memory: quantity('memory', memory) }),
    ...(gpu !== undefined && { 'nvidia.com/gpu': String(gpu) }),
  };
  const sizes = Object.entries(requests);
  if (sizes.length === 0)
    throw new CliError(
      '--pods: give --cpu, --memory or --gpu too: pods without requests fit on any node with a pod slot',
      exitCodes.usage,
    );
  const pod = plannedPodOf(
    {
      metadata: { namespace, name: 'planned' },
      spec: { containers: [{ name: 'main', resources: { requests } }] },
    },
    emptySurroundings,
  );
  return {
    name: sizes.map(([resource, amount]) => `${amount} ${resource}`).join(', '),
    total: count,
    running: 0,
    pods: Array.from({ length: count }, (_, index) => ({ ...pod, name: `planned-${index + 1}` })),
  };
}

/** @throws CliError `usage` */
function quantity(resource: 'cpu' | 'memory', text: string): string {
  try {
    amountsOf({ [resource]: text });
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new CliError(`--${resource} ${text}: write a quantity, such as 500m or 1Gi`, exitCodes.usage);
  }
  return text;
}
