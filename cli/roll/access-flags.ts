import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { ClusterFlags } from '../cluster-flags.ts';

/** The flags with which a command finds the cluster and its rolls. */
export interface RollAccessFlags extends AutoScalingFlags, ClusterFlags {}
