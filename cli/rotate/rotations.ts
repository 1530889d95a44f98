import type { BootstrapRole } from '../../shared/credentials/token-cluster.ts';
import { clusterConnections } from '../../shared/runtime/cluster.ts';
import { composeRotations, type Rotation } from '../../shared/runtime/rotations.ts';
import { connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';

export interface RotationFlags extends ClusterFlags {
  readonly cluster?: string;
  readonly region?: string;
  readonly parameter?: string;
  readonly role?: BootstrapRole;
}

/** As the function is composed; names that follow from the cluster's need not be given. */
export function rotationsOf(flags: RotationFlags, context: CliContext): readonly Rotation[] {
  const cluster = flags.cluster ?? context.environment.DROVER_CLUSTER;
  const named = (name: string): string | undefined => cluster && `/drover/${cluster}/${name}`;
  const { DROVER_BOOTSTRAP_PARAMETER, DROVER_KUBECONFIG_PARAMETER, DROVER_CREDENTIALS_KUBECONFIG_PARAMETER } =
    context.environment;
  const host = hostOf(context, {
    ...environmentOf(flags, context),
    ...(flags.role && { DROVER_BOOTSTRAP_ROLES: flags.role }),
    DROVER_BOOTSTRAP_PARAMETER:
      flags.parameter ?? DROVER_BOOTSTRAP_PARAMETER ?? named('bootstrap-kubeconfig'),
    DROVER_KUBECONFIG_PARAMETER:
      DROVER_CREDENTIALS_KUBECONFIG_PARAMETER ?? DROVER_KUBECONFIG_PARAMETER ?? named('kubeconfig'),
  });
  const byFile = flags.kubeconfig !== undefined || flags.context !== undefined;
  return composeRotations(host, byFile ? connectionsTo(flags, context) : clusterConnections(host));
}
