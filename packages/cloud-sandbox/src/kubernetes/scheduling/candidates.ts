import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Random } from '../../simulation/random.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { toleratesTaints } from './fit.ts';

/** The nodes that may have room for a pod. */
export interface Candidates {
  of(pod: Stored<Pod>): Iterable<Stored<Node>>;
}

const ownTolerations: readonly string[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** A pod that bears no taints of its own looks only at nodes without any; one made for a single node, only at that. */
export function createCandidates(store: Store, random: Random): Candidates {
  const nodes = store.of('nodes');
  let open: readonly Stored<Node>[] | undefined;
  nodes.subscribe(() => {
    open = undefined;
  });
  return {
    of: (pod) => {
      const only = soleNode(pod);
      if (only !== undefined) {
        const node = nodes.get(undefined, only);
        return node === undefined ? [] : [node];
      }
      open ??= nodes.list().filter((node) => toleratesTaints([], node));
      return rotated(bearsTaints(pod) ? nodes.list() : open, random);
    },
  };
}

function soleNode({ spec }: Stored<Pod>): string | undefined {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const [term, ...others] = required?.nodeSelectorTerms ?? [];
  const [field] = term?.matchFields ?? [];
  return others.length === 0 && field?.operator === 'In' ? field.values?.[0] : undefined;
}

function bearsTaints({ spec }: Stored<Pod>): boolean {
  return (spec?.tolerations ?? []).some(
    ({ key, effect }) => !(effect === 'NoExecute' && ownTolerations.includes(key ?? '')),
  );
}

function* rotated(nodes: readonly Stored<Node>[], random: Random): Generator<Stored<Node>> {
  if (nodes.length === 0) return;
  const start = random.integer(0, nodes.length - 1);
  for (let step = 0; step < nodes.length; step += 1) {
    const node = nodes[(start + step) % nodes.length];
    if (node !== undefined) yield node;
  }
}
