import type { AdoptFlags } from '../../adopt/flags.ts';
import type { AutoScalingFlags } from '../../auto-scaling/flags.ts';
import type { ClusterFlags } from '../../cluster-flags.ts';

export interface NthFlags extends AutoScalingFlags, ClusterFlags {
  readonly values?: string;
  readonly group?: readonly string[];
  readonly hook?: readonly string[];
  readonly bothDrain?: true;
  readonly stage?: string;
  readonly back?: true;
  readonly apply?: true;
  readonly yes?: true;
  /** Seconds to wait until no instance leaves that began before. */
  readonly wait: number;
  readonly json?: true;
}

/** What an adoption reads with the same flags. Approvers of certificates and user data are not part of a migration. */
export const adoptFlagsOf = ({ cluster, region, kubeconfig, context, stage }: NthFlags): AdoptFlags => ({
  ...(cluster !== undefined && { cluster }),
  ...(region !== undefined && { region }),
  ...(kubeconfig !== undefined && { kubeconfig }),
  ...(context !== undefined && { context }),
  ...(stage !== undefined && { stage }),
  tag: new Map(),
  heartbeat: 3600,
  joining: false,
  as: 'commands',
});
