import { DescribeNodegroupCommand, type EKSClient } from '@aws-sdk/client-eks';
import { required } from '../../../shared/aws/errors.ts';
import { nameOfNode } from '../../../shared/nodes/node-names.ts';
import { budgetBlocker, isMoved, nameOfPod } from '../../../shared/roll/blockers.ts';
import type { BlockedPod } from '../../../shared/roll/preflight.ts';
import { rollMembers } from '../../../shared/roll/progress.ts';
import type { CliContext } from '../../context.ts';
import type { RollAccess } from '../access.ts';
import type { RollAccessFlags } from '../access-flags.ts';
import { clusterAround } from '../preflight-sources.ts';
import type { ChosenNodegroup } from './choose.ts';

/** A node group as EKS describes it. */
export interface NodegroupFacts {
  readonly status: string;
  /** Of EKS's image; undefined with an image of the launch template. */
  readonly releaseVersion?: string;
  /** The launch template that the operator gave EKS. */
  readonly launchTemplate?: { readonly id?: string; readonly name?: string; readonly version?: string };
  /** Whether the launch template names the image. */
  readonly hasOwnImage: boolean;
  /** Clauses for people. */
  readonly issues: readonly string[];
}

/** @throws the error of EKS, also if there is no such node group. */
export async function readNodegroup(
  eks: EKSClient,
  { eksClusterName: clusterName, nodegroupName }: ChosenNodegroup,
): Promise<NodegroupFacts> {
  const { nodegroup, $metadata } = await eks.send(
    new DescribeNodegroupCommand({ clusterName, nodegroupName }),
  );
  const {
    status = 'UNKNOWN',
    releaseVersion,
    launchTemplate,
    amiType,
    health,
  } = required(nodegroup, { name: 'nodegroup', $metadata });
  return {
    status,
    ...(releaseVersion !== undefined && { releaseVersion }),
    ...(launchTemplate && { launchTemplate }),
    hasOwnImage: amiType === 'CUSTOM',
    issues: (health?.issues ?? []).map(({ code = 'unknown', message = '' }) => `${code}: ${message}`),
  };
}

export interface BlockedNodes {
  /** By the name of the node. Nodes without such pods are missing. */
  readonly blocked: readonly { readonly nodeName: string; readonly pods: readonly BlockedPod[] }[];
  readonly warnings: readonly string[];
}

/** The pods on the nodes of a group that a budget holds. EKS drains by evictions too, and honours nothing but budgets. */
export async function readBlockedPods(
  { group }: ChosenNodegroup,
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<BlockedNodes> {
  const cluster = await clusterAround([group], access, flags, context);
  const { pods, budgets, nodes, warnings } = cluster;
  const names = rollMembers([group], new Map(), nodes).flatMap(({ node }) => (node ? nameOfNode(node) : []));
  const blocked = names.flatMap((nodeName) => {
    const held = pods
      .filter((pod) => pod.spec?.nodeName === nodeName && isMoved(pod))
      .flatMap((pod): BlockedPod | [] => {
        const why = budgetBlocker(pod, { budgets, pods });
        return why === undefined ? [] : { pod: nameOfPod(pod), why };
      });
    return held.length === 0 ? [] : { nodeName, pods: held };
  });
  return { blocked, warnings };
}
