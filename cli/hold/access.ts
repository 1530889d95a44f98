import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { autoScalingClient } from '../../shared/aws/clients.ts';
import type { Groups } from '../../shared/capacity/groups.ts';
import type { HoldStore } from '../../shared/capacity/holds/change-holds.ts';
import type { HoldContext } from '../../shared/capacity/holds/context.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { holdContext } from '../../shared/runtime/hold-context.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';

/** The holds of the cluster, with this machine's AWS credentials. */
export interface HoldAccess extends HoldContext {
  readonly groups: Groups;
  readonly client: AutoScalingClient;
  readonly store: () => HoldStore;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function holdAccess(flags: AutoScalingFlags, context: CliContext): HoldAccess {
  const host = hostOf(context, environmentOf(flags, context));
  const { clusterName } = readConfig(host.environment, ['region', 'clusterName']);
  const holds = holdContext(host, { clusterName, maxSizeLimit: Infinity });
  return {
    ...holds,
    client: autoScalingClient(awsConnection(host)),
    store: () => ({ parameters: holds.parameters, paths: holds.paths, now: context.clock.now() }),
  };
}
