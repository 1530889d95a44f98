import type { Role } from '../../shared/groups/group.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { FormatName } from './as/formats.ts';
import type { Wishes } from './plan/observation.ts';

export interface AdoptFlags extends AutoScalingFlags, ClusterFlags {
  readonly stage?: string;
  readonly role?: Role;
  readonly tag: ReadonlyMap<string, string>;
  readonly heartbeat: number;
  readonly joining: boolean;
  readonly withIdentity?: true;
  readonly exempt?: readonly string[];
  readonly userData?: string;
  readonly as: FormatName;
  readonly plan?: true;
  readonly yes?: true;
  readonly check?: true;
  readonly json?: true;
}

/** With the text of the file that `--user-data` names. */
export const wishesOf = (
  { role, tag, heartbeat, joining, exempt = [] }: AdoptFlags,
  userData: string | undefined,
): Wishes => ({
  userData,
  role,
  tags: tag,
  heartbeatTimeoutSeconds: heartbeat,
  joining,
  exemptNodes: new Set(exempt),
});
