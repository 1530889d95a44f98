import { type Filter, type NodeCheck, passes } from './filter.ts';
import type { NodeState } from './node-state.ts';
import { insufficient, reasons } from './reasons.ts';
import { podsResource } from './requests.ts';
import type { PlannedPod } from './types.ts';

type Requests = Pick<PlannedPod, 'requests'>;

/** NodeResourcesFit: a place among the pods of the node, and what is left of each resource that the pod requests. */
export const resourcesFilter: Filter = (pod): NodeCheck => {
  const asked = askedBy(pod);
  return (state) => {
    const short = asked.filter(([name, amount]) => !(amount <= leftOf(state, name)));
    const isFull = !(leftOf(state, podsResource) >= 1);
    if (short.length === 0 && !isFull) return passes;
    return [...(isFull ? [reasons.tooManyPods] : []), ...short.map(([name]) => insufficient(name))];
  };
};

/** The same without reasons, which is much faster. */
export function hasResources(pod: Requests): (state: NodeState) => boolean {
  const asked = askedBy(pod);
  return (state) => {
    if (!(leftOf(state, podsResource) >= 1)) return false;
    for (const [name, amount] of asked) if (!(amount <= leftOf(state, name))) return false;
    return true;
  };
}

const askedBy = ({ requests }: Requests): readonly (readonly [string, number])[] =>
  [...requests].filter(([name, amount]) => amount > 0 && name !== podsResource);

/** Comparisons are written so that NaN never gives room. */
const leftOf = ({ left }: NodeState, resource: string): number => left.get(resource) ?? 0;
