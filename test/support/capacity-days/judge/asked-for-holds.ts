import * as z from 'zod/mini';
import { type DroverWorld, membersOf } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../../cli/operator.ts';
import { instanceType } from '../deeds.ts';
import type { NodesJudge } from './nodes.ts';

const listed = z.array(
  z.object({
    group: z.string(),
    name: z.string(),
    nodes: z.optional(z.int()),
    state: z.string(),
    reason: z.string(),
  }),
);

/** Runs `drover hold list`: a hold is met by Ready nodes, and a hold that waits for EC2 names the type and the zone. */
export function createHoldAsker(world: DroverWorld, judge: NodesJudge) {
  const drover = operatorOf(world);
  return async (): Promise<readonly string[]> => {
    const { out } = await drover('hold list --json');
    return listed.parse(JSON.parse(out)).flatMap(({ group, name, nodes, state, reason }) => {
      if (nodes === undefined || state === 'over') return [];
      const ready = readyNodesOf(world, group);
      const said = `${name} of ${group} is ${state}: ${reason}`;
      if ((state === 'met') !== ready >= nodes) return [`${said}, and ${ready} of ${nodes} nodes are Ready`];
      const explains = [instanceType, world.account.region].every((word) => reason.includes(word));
      if (state === 'waiting' && judge.isShortOfCapacity(group) && !explains)
        return [`${said}, and EC2 has no capacity`];
      return [];
    });
  };
}

/** Ready nodes of instances in service, as the API server shows them. */
function readyNodesOf(world: DroverWorld, group: string): number {
  const inService = membersOf(world, group).flatMap(({ InstanceId = '', LifecycleState }) =>
    LifecycleState === 'InService' ? [InstanceId] : [],
  );
  const nodes = world.kubernetes.store.of('nodes').list();
  return inService.filter((id) =>
    nodes.some(
      ({ spec, status }) =>
        spec?.providerID?.endsWith(`/${id}`) &&
        !spec.unschedulable &&
        status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    ),
  ).length;
}
