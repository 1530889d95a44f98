import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { DrainPlan } from '../../shared/draining/plan-drain.ts';
import type { PodVerdict } from '../../shared/draining/pod-filters.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';

/** The plan as other programs read it: a contract, not the inside of the planner. */
export interface PlanJson {
  readonly node: string;
  readonly providerID: string | null;
  /** ISO 8601 in UTC. */
  readonly deadline: string | null;
  readonly pods: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly verdict: PodVerdict['verdict'];
    readonly reason: string;
    readonly tier: string;
    readonly heldBy?: readonly string[];
  }[];
}

export const planJson = (node: Node, plan: DrainPlan, deadline: number | undefined): PlanJson => ({
  node: nameOfNode(node),
  providerID: node.spec?.providerID ?? null,
  deadline: deadline === undefined ? null : new Date(deadline).toISOString(),
  pods: plan.pods.map(({ namespace, name, uid, verdict, reason, tier, heldBy }) => ({
    namespace,
    name,
    uid,
    verdict,
    reason,
    tier,
    ...(heldBy && { heldBy }),
  })),
});
