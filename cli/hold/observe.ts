import type { Groups } from '../../shared/capacity/groups.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import { type HoldState, holdStateOf } from '../../shared/capacity/holds/hold-state.ts';
import { type ObservedNodes, observeNodes } from '../../shared/capacity/observed-nodes.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { clusterOf } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';

/** The Nodes; without a kubeconfig, or where the API server does not answer, why they are unknown. */
export async function nodesOf(flags: ClusterFlags, context: CliContext): Promise<ObservedNodes> {
  const nodes = await observeNodes(clusterOf(flags, context), () => undefined);
  return nodes.status === 'seen'
    ? nodes
    : {
        ...nodes,
        reason: 'whether the nodes are Ready is unknown: no kubeconfig, or no answer of the API server',
      };
}

/** How far a hold is; of one that waits, why the newest launch failed. */
export async function stateOfHold(
  hold: Hold,
  facts: {
    readonly group: AutoScalingGroup | undefined;
    readonly nodes: ObservedNodes;
    readonly now: number;
  },
  { groups }: { readonly groups: Groups },
): Promise<HoldState> {
  const state = holdStateOf(hold, facts);
  if (state.state !== 'waiting' || !facts.group) return state;
  const failedLaunch = await groups.readFailedLaunch(hold.autoScalingGroupName);
  return holdStateOf(hold, { ...facts, failedLaunch });
}
