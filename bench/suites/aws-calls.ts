import { measureDrain } from '../drain.ts';
import type { Figure, Suite } from '../figure.ts';
import { sumOf } from '../ledger.ts';

const callsGoal = 4;
const podsPerNode = 10;

async function drainOf(nodes: number, peers: string): Promise<readonly Figure[]> {
  const { awsCalls } = await measureDrain({ nodes, podsPerNode, before: 1 });
  const name = nodes === 1 ? 'one node' : `${nodes} nodes at once`;
  const total = {
    name: `${name}: calls a node`,
    value: sumOf(awsCalls),
    unit: 'calls',
    goal: callsGoal,
    peers,
  };
  const each = [...awsCalls].map(([call, value]) => ({ name: `${name}: ${call}`, value, unit: 'calls' }));
  return [total, ...each];
}

export const awsCalls: Suite = {
  name: 'aws-calls',
  about:
    'calls of the warm functions to AWS for a node that leaves, from its notice to the last echo of its end',
  run: async () => [...(await drainOf(1, 'NTH 5')), ...(await drainOf(100, 'NTH 10.8'))],
};
