import { measureDrain } from '../drain.ts';
import type { Figure, Suite } from '../figure.ts';
import { sumOf } from '../ledger.ts';

/** Twelve for the work, two of them after the instance has ended, and two for notifications. */
const aloneGoal = 14;
const togetherGoal = 5;
const podsPerNode = 10;

interface Leave {
  readonly name: string;
  readonly nodes: number;
  readonly before: number;
  readonly goal?: number;
  readonly peers?: string;
}

const leaves: readonly Leave[] = [
  { name: 'one node', nodes: 1, before: 1, goal: aloneGoal, peers: 'NTH 5' },
  { name: 'one node, cold functions', nodes: 1, before: 0 },
  { name: '100 nodes at once', nodes: 100, before: 1, goal: togetherGoal, peers: 'NTH 10.8' },
];

async function figuresOf({ name, nodes, before, ...held }: Leave): Promise<readonly Figure[]> {
  const { awsCalls: calls } = await measureDrain({ nodes, podsPerNode, before });
  const total: Figure = { name: `${name}: calls a node`, value: sumOf(calls), unit: 'calls', ...held };
  const each = [...calls].map(
    ([call, value]): Figure => ({ name: `${name}: ${call}`, value, unit: 'calls', isDetail: true }),
  );
  return [total, ...each];
}

async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const leave of leaves) figures.push(...(await figuresOf(leave)));
  return figures;
}

export const awsCalls: Suite = {
  name: 'aws-calls',
  about:
    'calls of intake, heartbeats and node-leaving to AWS for a node that leaves, from its notice to the last echo of its end',
  run,
};
