import { leavesOneAtATime } from '../../../lifecycle/group.ts';
import { again, longestWaitSeconds, type Outcome } from '../../../lifecycle/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { missingReplacements } from '../replacement.ts';
import type { Leaving, NodeFound, Planned } from '../state.ts';

/** An instance of a control plane or of etcd leaves only while the others that its group should have serve. */
export async function awaitReplacement(
  { autoScaling, cluster, clock }: LeavingContext,
  { instance: { instanceId }, group, plan, mark }: Leaving & Planned & NodeFound,
): Promise<Outcome | object> {
  if (plan.mustHurry || mark || !leavesOneAtATime(group)) return {};
  const { autoScalingGroupName } = group;
  // Fresh and consistent answers: those of seconds ago still count the instance that has just left.
  const groups = await autoScaling.listGroups(clock.now());
  const current = groups.find((one) => one.autoScalingGroupName === autoScalingGroupName) ?? group;
  const nodes = await cluster.listNodes('consistent');
  const missing = missingReplacements({ group: current, instanceId, nodes });
  if (missing === 0) return {};
  return again(
    longestWaitSeconds,
    `${autoScalingGroupName} waits for replacements: ${missing} more of its ${current.desiredCapacity} instances must serve before the next one leaves`,
    { waitsFor: 'replacement' },
  );
}
