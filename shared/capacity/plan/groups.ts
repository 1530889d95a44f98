import type { Labels, OccupiedNode, PlannedNode } from './types.ts';

/** A group that may launch nodes for the plan. */
export interface PlanGroup {
  readonly autoScalingGroupName: string;
  /** How many nodes more its bounds allow. */
  readonly mostNewNodes: number;
  /** A new node, with the pods that every new node has: those of DaemonSets and static ones. */
  readonly template: OccupiedNode;
}

const hostnameLabel = 'kubernetes.io/hostname';

/** The new node of a group with this number, counted from 1. Each has a host name of its own, for spread and anti-affinity. */
export function newNodeOf({ autoScalingGroupName, template }: PlanGroup, number: number): OccupiedNode {
  const name = `${autoScalingGroupName}/new-${number}`;
  const [first, ...others] = template.node.labelSets;
  const node: PlannedNode = {
    ...template.node,
    name,
    autoScalingGroupName,
    labelSets: [withHostname(first, name), ...others.map((labels) => withHostname(labels, name))],
  };
  return { ...template, node };
}

const withHostname = (labels: Labels, name: string): Labels => ({ ...labels, [hostnameLabel]: name });
