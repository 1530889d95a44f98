import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { type FailingNode, zoneOf } from './failing-nodes.ts';

/**
 * The defaults by which kube-controller-manager stops evicting in a zone: at least three Nodes that are not Ready, and 55 % of all
 * (--unhealthy-zone-threshold; NodeLifecycleControllerConfiguration.UnhealthyZoneThreshold).
 */
const least = 3;
const share = 0.55;

/**
 * Why a failing node is left alone: so many Nodes of the cluster, or of its zone, fail at once that the API server or the network is the
 * likelier cause, and replacements would fail as well. Undefined: few fail. Pure.
 */
export function disturbances(
  nodes: readonly Node[],
  failing: readonly FailingNode[],
): (node: FailingNode) => string | undefined {
  const names = new Set(failing.map(({ name }) => name));
  const isFailing = (node: Node): boolean => !isNodeReady(node) || names.has(node.metadata?.name ?? '');
  const disturbanceOf = (all: readonly Node[], where: string): string | undefined => {
    const count = all.filter(isFailing).length;
    return count >= least && count / all.length >= share
      ? `${count} of the ${all.length} Nodes ${where} fail`
      : undefined;
  };
  const ofCluster = nodes.some(isNodeReady)
    ? disturbanceOf(nodes, 'of the cluster')
    : 'no Node of the cluster is Ready';
  const ofZones = new Map(
    [...Map.groupBy(nodes, zoneOf)].map(([zone, all]) => [
      zone,
      disturbanceOf(all, zone === undefined ? 'without a zone' : `in ${zone}`),
    ]),
  );
  return ({ zone }) => ofCluster ?? ofZones.get(zone);
}
