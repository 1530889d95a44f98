import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { scaleDownDisabledAnnotation } from '../nodes/node-keys.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { isMoved } from './blockers.ts';
import { isLaunchedSince, type RollMember } from './member.ts';
import { isKept, isNodeLeaving } from './node-marks.ts';
import type { GroupProgress } from './progress.ts';
import type { KeepChanges, StepFacts } from './step.ts';

/**
 * The names of these Nodes that have no pod which a drain would move: an autoscaler may give them back with the desired capacity lowered.
 * Pure.
 */
export function namesOfEmpty(nodes: readonly Node[], pods: readonly Pod[]): ReadonlySet<string> {
  const used = new Set(pods.filter(isMoved).map(({ spec }) => spec?.nodeName));
  return new Set(nodes.map(nameOfNode).filter((name) => !used.has(name)));
}

/**
 * An empty new Node waits for the pods of an old one. Until they come, cluster-autoscaler would taint it as a candidate for its scale-down,
 * so that the scheduler prefers it no more, and then take it (deitch/aws-asg-roller#19, aws/containers-roadmap#916). Drover's own giving back
 * of empty nodes asks for the same annotation. A Node to which people have given the annotation is theirs. Pure.
 */
export function keepChanges(
  { roll, nodes, emptyNodes }: Pick<StepFacts, 'roll' | 'nodes' | 'emptyNodes'>,
  progress: readonly GroupProgress[],
): KeepChanges {
  if (emptyNodes === undefined) return { keep: [], letGo: [] };
  const isNew = (member: RollMember): boolean =>
    isLaunchedSince(roll, member) && (isInService(member) || member.lifecycleState.startsWith('Pending'));
  const empty = progress
    .filter(({ old, leaving }) => old.length + leaving.length > 0)
    .flatMap(({ fresh }) => fresh.filter(isNew).flatMap(({ node }) => node ?? []))
    .filter((node) => emptyNodes.has(nameOfNode(node)) && !isNodeLeaving(node));
  const names = new Set(empty.map(nameOfNode));
  return {
    keep: empty.filter(
      (node) => isNodeReady(node) && node.metadata?.annotations?.[scaleDownDisabledAnnotation] === undefined,
    ),
    letGo: nodes.filter((node) => isKept(node, roll.name) && !names.has(nameOfNode(node))),
  };
}
