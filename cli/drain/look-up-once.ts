import { daemonSetKey } from '../../shared/draining/daemon-sets.ts';
import type { DaemonSetLookup } from '../../shared/nodes/cluster.ts';

type LookUp = (namespace: string, name: string) => Promise<DaemonSetLookup>;

/** Remembers the DaemonSets that were found: kubectl, too, asks once in a drain. Other answers are asked for again. */
export function lookUpOnce(lookUp: LookUp): LookUp {
  const found = new Set<string>();
  return async (namespace, name) => {
    const key = daemonSetKey({ namespace, name });
    if (found.has(key)) return 'found';
    const answer = await lookUp(namespace, name);
    if (answer === 'found') found.add(key);
    return answer;
  };
}
