import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { ListingFlags } from '../listing/flags.ts';

export interface CsrFlags extends AutoScalingFlags, ClusterFlags {
  readonly json?: true;
}

export interface ListFlags extends CsrFlags, ListingFlags {
  readonly all?: true;
}

export interface DecideFlags extends CsrFlags {
  readonly yes?: true;
}
