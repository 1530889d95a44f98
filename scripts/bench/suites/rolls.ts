import type { Figure, Suite } from '../figure.ts';
import { measureRoll, type RollCost } from '../roll.ts';

/** What docs/rolling.md has the figures of. */
export const rolledAtOnce = { nodes: 50, podsPerNode: 10, atOnce: 5 } as const;
const what = `${rolledAtOnce.nodes} nodes, ${rolledAtOnce.atOnce} at once`;

/** What is compared: the same nodes, pods and budgets, and as many replacements at once. */
const compared: readonly {
  readonly name: string;
  readonly unit: string;
  readonly of: (cost: RollCost) => number;
  readonly goal?: number;
}[] = [
  { name: 'evictions a pod', unit: 'evictions', of: ({ evictionsPerPod }) => evictionsPerPod, goal: 1.1 },
  { name: 'until the last is replaced', unit: 'simulated s', of: ({ simulatedSeconds }) => simulatedSeconds },
  { name: 'calls to AWS a node', unit: 'calls', of: ({ awsCalls }) => awsCalls },
  { name: 'requests to the API server a node', unit: 'requests', of: ({ apiRequests }) => apiRequests },
];

async function run(): Promise<readonly Figure[]> {
  const roll = await measureRoll({ ...rolledAtOnce, by: 'drover roll' });
  const refresh = await measureRoll({ ...rolledAtOnce, by: 'instance refresh' });
  return compared.flatMap(({ name, unit, of, goal }): readonly Figure[] => [
    {
      name: `${what}: ${name}`,
      value: of(roll),
      unit,
      ...(goal !== undefined && { goal }),
    },
    { name: `${what}, instance refresh: ${name}`, value: of(refresh), unit },
    { name: `${what}: ${name}, instance refresh against a roll`, value: of(refresh) / of(roll), unit: 'x' },
  ]);
}

export const rolls: Suite = {
  name: 'rolls',
  about:
    'a group whose nodes are all replaced: by drover roll, and by an instance refresh with the same hooks',
  run,
};
