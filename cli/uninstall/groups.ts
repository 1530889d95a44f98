import { readGroups } from '../../shared/aws/auto-scaling.ts';
import type { GroupObservation } from '../leave/observation.ts';
import { observeGroup } from '../leave/observe.ts';
import { type LeavePlan, planLeave } from '../leave/plan.ts';
import type { UninstallAccess } from './access.ts';

/** The plans of the groups on which something of Drover is, in the order in which they leave. */
export async function planGroups({ leave }: UninstallAccess, now: number): Promise<readonly LeavePlan[]> {
  const { client, clusterName } = leave.autoScaling;
  const names = (await readGroups(client, clusterName)).map((group) => group.autoScalingGroupName);
  const observed: GroupObservation[] = [];
  for (const name of names.toSorted()) observed.push(await observeGroup(leave, name, now));
  const leaving = observed.filter((one) => planLeave(one).steps.length > 0);
  return leaving.map((one, index) => planLeave(inTurn(one, { index, count: leaving.length })));
}

/** What is there when its turn comes: the first group gives renewals back, and the last one the first certificates. Pure. */
function inTurn(
  observation: GroupObservation,
  { index, count }: { readonly index: number; readonly count: number },
): GroupObservation {
  const { cluster } = observation;
  const isLast = index === count - 1;
  if (cluster === undefined || index === 0) return { ...observation, isLast };
  const missingApprovals = cluster.missingApprovals.filter((kind) => kind !== 'selfnodeclient');
  return { ...observation, isLast, cluster: { ...cluster, missingApprovals } };
}
