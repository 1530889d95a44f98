import type { Figure, Suite } from '../figure.ts';
import { measureRoll, type RollCost, type RollPlan } from '../roll.ts';

/** What docs/rolling.md has the figures of. */
export const rolledAtOnce = { nodes: 50, podsPerNode: 10, atOnce: 5 } as const;

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

/** As instances of EC2 are, instead of those of the sandbox. */
const boot = { runningSeconds: 90, readySeconds: 150 };

const run = async (): Promise<readonly Figure[]> => [
  ...(await compare(rolledAtOnce)),
  ...(await compare({ ...rolledAtOnce, boot })),
];

async function compare(plan: Omit<RollPlan, 'by'>): Promise<readonly Figure[]> {
  const roll = await measureRoll({ ...plan, by: 'drover roll' });
  const refresh = await measureRoll({ ...plan, by: 'instance refresh' });
  const slow = plan.boot ? `, each Ready after ${plan.boot.readySeconds} s` : '';
  const what = `${plan.nodes} nodes, ${plan.atOnce} at once${slow}`;
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
