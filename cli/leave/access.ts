import { schedulerClient } from '../../shared/aws/clients.ts';
import { scheduleStore } from '../../shared/aws/schedule-store.ts';
import { NoScheduleGroupError } from '../../shared/aws/schedules.ts';
import type { Groups } from '../../shared/capacity/groups.ts';
import type { HoldContext } from '../../shared/capacity/holds/context.ts';
import type { ScheduleStore } from '../../shared/capacity/schedules/change-schedules.ts';
import { scheduleGroupOf } from '../../shared/capacity/schedules/schedule.ts';
import { type Api, createApi } from '../../shared/kubernetes/api.ts';
import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { holdContext } from '../../shared/runtime/hold-context.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';

/** What a leave reads and changes, with this machine's credentials. */
export interface LeaveAccess {
  readonly autoScaling: AutoScalingAccess;
  readonly holds: HoldContext & { readonly groups: Groups };
  readonly schedules: Pick<ScheduleStore, 'list' | 'remove'>;
  /** Undefined if the operator leaves the cluster out. */
  readonly cluster: LeaveCluster | undefined;
}

interface LeaveCluster extends Pick<DrainCluster, 'listNodes' | 'patchNode'> {
  readonly api: Api;
  readonly connections: ConnectionSource;
}

export interface LeaveAccessFlags extends AutoScalingFlags, ClusterFlags {
  readonly withoutCluster?: true;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function leaveAccess(flags: LeaveAccessFlags, context: CliContext): LeaveAccess {
  const autoScaling = autoScalingAccess(flags, context);
  const { clusterName } = autoScaling;
  const host = hostOf(context, environmentOf(flags, context));
  const scheduleGroup = {
    client: schedulerClient(awsConnection(host)),
    groupName: scheduleGroupOf(clusterName),
  };
  const store = scheduleStore({ ...scheduleGroup, clock: context.clock });
  return {
    autoScaling,
    holds: holdContext(host, { clusterName, maxSizeLimit: Infinity }),
    schedules: { list: () => noneWithoutGroup(() => store.list()), remove: (name) => store.remove(name) },
    cluster: flags.withoutCluster ? undefined : leaveCluster(flags, context),
  };
}

function leaveCluster(flags: ClusterFlags, context: CliContext): LeaveCluster {
  const connections = connectionsTo(flags, context);
  const { sendHttp, clock } = context;
  const client = createKubernetesClient({ connections, sendHttp, clock });
  return {
    connections,
    api: createApi({ connections, sendHttp }),
    listNodes: (consistency) => client.listNodes(consistency),
    patchNode: (name, patch) => client.patchNode(name, patch),
  };
}

/** The schedules of a deployment that is gone are gone with their group. */
async function noneWithoutGroup<Value>(list: () => Promise<readonly Value[]>): Promise<readonly Value[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof NoScheduleGroupError) return [];
    throw error;
  }
}
