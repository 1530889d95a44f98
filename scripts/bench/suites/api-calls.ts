import { measureDrain } from '../drain.ts';
import type { Figure, Suite } from '../figure.ts';

/** kubectl v1.34.4 against a real API server, its requests counted in the audit log. */
const kubectl: Readonly<Record<number, string>> = {
  5: 'kubectl 25',
  10: 'kubectl 42, NTH 46 (28 at 100 nodes)',
  30: 'kubectl 83-86',
  100: 'kubectl 222-226',
};

async function drainOf(pods: number): Promise<readonly Figure[]> {
  const cost = await measureDrain({ nodes: 1, podsPerNode: pods });
  const name = `a node of ${pods} pods`;
  const peers = kubectl[pods];
  return [
    { name, value: cost.apiRequests, unit: 'requests', goal: pods + 6, ...(peers && { peers }) },
    { name: `${name}: read`, value: cost.apiBytes / 1000, unit: 'KB' },
  ];
}

export const apiCalls: Suite = {
  name: 'api-calls',
  about: 'requests to the API server for one node of 5, 10, 30 and 100 pods, Events apart',
  run: async () => {
    const figures: Figure[] = [];
    for (const pods of [5, 10, 30, 100]) figures.push(...(await drainOf(pods)));
    return figures;
  },
};
