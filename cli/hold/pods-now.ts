import { createPlanLaunches } from '../../shared/aws/plan-launches.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import { isForPods } from '../../shared/capacity/holds/pod-floor.ts';
import { planGroups } from '../../shared/capacity/pod-holds/plan-groups.ts';
import type { PodRequest } from '../../shared/capacity/pod-holds/pod-request.ts';
import type { PodsReading } from '../../shared/capacity/pod-holds/pods-reading.ts';
import { readPods } from '../../shared/capacity/pod-holds/read-pods.ts';
import { createPlanCluster } from '../../shared/kubernetes/plan-cluster.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { AccessFlags } from '../access/flags.ts';
import { connectionsTo } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import { readRoomGroups } from '../plan/read-room.ts';

/** A large cluster takes half a minute from a laptop. */
const readMilliseconds = 120_000;

/** What prewarm would find if the hold existed now, beside the other holds of its group: by the same code, with this machine's credentials. */
export async function podsNow(
  hold: Hold & { readonly pods: PodRequest },
  others: readonly Hold[],
  { flags, context }: { readonly flags: AccessFlags; readonly context: CliContext },
): Promise<PodsReading> {
  const host = hostOf(context, environmentOf(flags, context));
  const { clusterName, all } = await readRoomGroups({ ...flags, groups: true }, context);
  const group = all.find((one) => one.autoScalingGroupName === hold.autoScalingGroupName);
  const { clock, sendHttp } = context;
  const failed = (why: string): PodsReading => ({ kind: 'failed', readAt: clock.now(), why });
  if (group === undefined) return failed('there is no such managed group');
  const reader = {
    cluster: createPlanCluster({ connections: connectionsTo(flags, context), sendHttp }),
    launches: createPlanLaunches(awsConnection(host)),
    ...readConfig(host.environment, ['joinTimeoutSeconds']),
  };
  const read = await readPods(reader, {
    groups: all,
    growing: new Set([hold.autoScalingGroupName]),
    clusterName,
    clock,
    milliseconds: readMilliseconds,
  });
  const readings = planGroups(read, {
    asked: [{ group, holds: [hold, ...others.filter(isForPods)] }],
    // Only the deployment knows its maxSizeLimit.
    maxSizeLimit: Infinity,
  });
  return readings.get(hold.autoScalingGroupName) ?? failed('the plan says nothing about this group');
}
