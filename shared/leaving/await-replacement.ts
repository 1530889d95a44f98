import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, leavesOneAtATime } from '../groups/group.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { again, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { missingReplacements } from './concurrency-limit.ts';
import type { Leaving, LeavingContext, NodeFound, Planned } from './context.ts';
import { ownNodes } from './find-node.ts';

/** An instance of a control plane or of etcd leaves only while all others that its group should have serve. */
export async function awaitReplacement(
  context: LeavingContext,
  { instance: { instanceId }, group, plan, mark }: Leaving & Planned & NodeFound,
): Promise<Outcome | object> {
  if (plan.mustHurry || mark || !leavesOneAtATime(group)) return {};
  const { autoScaling, cluster, clock } = context;
  const { autoScalingGroupName } = group;
  // Fresh and consistent reads: an older one still counts the instance that has just left.
  const groups = await autoScaling.listGroups(clock.now());
  const current = groups.find((one) => one.autoScalingGroupName === autoScalingGroupName) ?? group;
  // Otherwise the Node of another instance that claims the providerID of a member would count as serving.
  const nodes = await ownNodes(context, nodesIn(current, await cluster.listNodes('consistent')));
  const missing = missingReplacements({ group: current, instanceId, nodes });
  if (missing === 0) return {};
  return again(
    longestWaitSeconds,
    `${autoScalingGroupName} waits for replacements: ${missing} more of its ${current.desiredCapacity} ${current.countsUnits ? 'units of instances' : 'instances'} must serve before the next one leaves`,
    { waitsFor: 'replacement' },
  );
}

function nodesIn({ instances }: AutoScalingGroup, nodes: readonly Node[]): readonly Node[] {
  const members = new Set<string | undefined>(instances.map(({ instanceId }) => instanceId));
  return nodes.filter(({ spec }) => members.has(instanceIdOf(spec?.providerID)));
}
