import type { Command } from 'commander';
import { type AutoScalingFlags, withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { type ClusterFlags, withClusterFlags } from '../cluster-flags.ts';

/** The flags with which a command finds the cluster and its rolls. */
export interface RollAccessFlags extends AutoScalingFlags, ClusterFlags {}

/** Adds them. */
export const withRollAccess = (command: Command): Command => withClusterFlags(withAutoScalingFlags(command));
