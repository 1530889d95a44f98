import type { NodeState } from './cluster-state.ts';

/** How many counted pods each domain of a topology has. It changes as pods and nodes are added. */
export interface DomainCounts {
  /** 0 for a domain without nodes. */
  podsIn(domain: string): number;
  domains(): number;
  /** The fewest pods of a domain; Infinity without domains. */
  fewest(): number;
  /** How many domains have a pod. */
  taken(): number;
}

/** What keeps the counts up. */
export interface DomainCounter extends DomainCounts {
  addNode(state: NodeState, pods: number): void;
  removeNode(state: NodeState, pods: number): void;
  addPod(index: number): void;
}

/** @param domainsOf the domains of a node: none if its pods are not counted, several if it may be in each of them. */
export function createDomainCounter(domainsOf: (state: NodeState) => readonly string[]): DomainCounter {
  const pods = new Map<string, number>();
  const nodes = new Map<string, number>();
  const domainsByNode: (readonly string[])[] = [];
  let taken = 0;
  /** Undefined after a change that may have raised it. */
  let fewest: number | undefined = Infinity;
  /** How many domains have the fewest pods. */
  let withFewest = 0;

  const setPods = (domain: string, before: number | undefined, after: number): void => {
    pods.set(domain, after);
    taken += (after > 0 ? 1 : 0) - ((before ?? 0) > 0 ? 1 : 0);
    if (fewest === undefined) return;
    if (before === fewest) withFewest -= 1;
    if (after < fewest) [fewest, withFewest] = [after, 1];
    else if (after === fewest) withFewest += 1;
    if (withFewest === 0) fewest = undefined;
  };

  const findFewest = (): number => {
    let least = Infinity;
    for (const count of pods.values()) {
      if (count === least) withFewest += 1;
      if (count < least) [least, withFewest] = [count, 1];
    }
    return least;
  };

  return {
    podsIn: (domain) => pods.get(domain) ?? 0,
    domains: () => pods.size,
    fewest: () => {
      fewest ??= findFewest();
      return fewest;
    },
    taken: () => taken,
    addNode: (state, count) => {
      const domains = domainsOf(state);
      domainsByNode[state.index] = domains;
      for (const domain of domains) {
        nodes.set(domain, (nodes.get(domain) ?? 0) + 1);
        const before = pods.get(domain);
        setPods(domain, before, (before ?? 0) + count);
      }
    },
    removeNode: ({ index }, count) => {
      for (const domain of domainsByNode[index] ?? []) {
        const left = (nodes.get(domain) ?? 1) - 1;
        nodes.set(domain, left);
        setPods(domain, pods.get(domain), (pods.get(domain) ?? 0) - count);
        if (left === 0) pods.delete(domain);
      }
      fewest = undefined;
    },
    addPod: (index) => {
      for (const domain of domainsByNode[index] ?? []) {
        const before = pods.get(domain) ?? 0;
        setPods(domain, before, before + 1);
      }
    },
  };
}
