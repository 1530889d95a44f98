import { ssmClient } from '../aws/clients.ts';
import { createGroups } from '../aws/groups.ts';
import { createPlainParameters } from '../aws/parameters.ts';
import type { Groups } from '../capacity/groups.ts';
import type { HoldContext } from '../capacity/holds/context.ts';
import { holdPathsOf } from '../capacity/holds/parameters.ts';
import { notifyNothing } from '../notifications/notification.ts';
import { awsConnection } from './aws-connection.ts';
import type { Host } from './host.ts';

/** The holds and groups of a cluster, on a host. */
export function holdContext(
  host: Host,
  {
    clusterName,
    maxSizeLimit,
    notify = notifyNothing,
  }: Pick<HoldContext, 'clusterName' | 'maxSizeLimit'> & Partial<Pick<HoldContext, 'notify'>>,
): HoldContext & { readonly groups: Groups } {
  const connection = awsConnection(host);
  return {
    parameters: createPlainParameters(ssmClient(connection)),
    groups: createGroups({ connection, clusterName }),
    clock: host.clock,
    notify,
    clusterName,
    maxSizeLimit,
    paths: holdPathsOf(clusterName),
  };
}
