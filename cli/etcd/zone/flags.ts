import type { Command } from 'commander';
import { type AutoScalingFlags, withAutoScalingFlags } from '../../auto-scaling/flags.ts';

export interface ZoneFlags extends AutoScalingFlags {
  readonly domain?: string;
  readonly zone?: string;
  readonly dnsOnly?: true;
}

/** The flags by which a command finds the zone; what is left out is read from the environment, as the function reads it. */
export const withZoneFlags = (command: Command): Command =>
  withAutoScalingFlags(command)
    .option('--domain <domain>', 'the discovery domain; overrides $DROVER_ETCD_DOMAIN')
    .option('--zone <id>', 'the hosted zone that holds it; overrides $DROVER_ETCD_ZONE_ID')
    .option('--dns-only', 'do not ask the members, which this machine may not reach');
