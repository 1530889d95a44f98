import type { NodeState } from './cluster-state.ts';
import { type Filter, type NodeCheck, passes } from './filter.ts';
import { insufficient, reasons } from './reasons.ts';
import { podsResource } from './requests.ts';
import type { PlannedPod } from './types.ts';

/** NodeResourcesFit: a place among the pods of the node, and what is left of each resource that the pod requests. */
export const resourcesFilter: Filter = (pod) => resourcesCheck(pod);

export function resourcesCheck({ requests }: Pick<PlannedPod, 'requests'>): NodeCheck {
  const asked = [...requests].filter(([name, amount]) => amount > 0 && name !== podsResource);
  return (state) => {
    const short = asked.filter(([name, amount]) => amount > leftOf(state, name));
    const isFull = leftOf(state, podsResource) < 1;
    if (short.length === 0 && !isFull) return passes;
    return [...(isFull ? [reasons.tooManyPods] : []), ...short.map(([name]) => insufficient(name))];
  };
}

const leftOf = ({ node, used }: NodeState, resource: string): number =>
  (node.allocatable.get(resource) ?? 0) - (used.get(resource) ?? 0);
