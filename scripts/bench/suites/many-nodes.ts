import { type DrainCost, measureDrain } from '../drain.ts';
import type { Figure, Suite } from '../figure.ts';
import { sumOf } from '../ledger.ts';

const podsPerNode = 10;
/** The cost of a node must not grow with their number; so much is the play of chance and of what is rounded up. */
const growthGoal = 1.05;
/** In turns, passes that wait cost something too. */
const growthInTurnsGoal = 1.2;
const cpuSecondsGoal = 60;

function figuresOf(name: string, cost: DrainCost): readonly Figure[] {
  return [
    { name: `${name}: requests to the API server a node`, value: cost.apiRequests, unit: 'requests' },
    { name: `${name}: read a node`, value: cost.apiBytes / 1000, unit: 'KB' },
    { name: `${name}: evictions a node`, value: cost.evictions, unit: 'evictions' },
    { name: `${name}: calls to AWS a node`, value: sumOf(cost.awsCalls), unit: 'calls' },
    {
      name: `${name}: heartbeats a node`,
      value: cost.awsCalls.get('heartbeats autoscaling RecordLifecycleActionHeartbeat') ?? 0,
      unit: 'calls',
    },
    { name: `${name}: pods forced`, value: cost.podsForced, unit: 'pods', goal: 0 },
    { name: `${name}: until the last is gone`, value: cost.simulatedSeconds, unit: 'simulated s' },
    { name: `${name}: the simulation takes`, value: cost.cpuSeconds, unit: 'CPU s', goal: cpuSecondsGoal },
    {
      name: `${name}: the simulation takes, on a machine as busy as it was`,
      value: cost.wallSeconds,
      unit: 's',
    },
  ];
}

const growth = (name: string, many: number, few: number, goal = growthGoal): Figure => ({
  name,
  value: many / few,
  unit: 'x',
  goal,
});

async function run(): Promise<readonly Figure[]> {
  const hundred = await measureDrain({ nodes: 100, podsPerNode, bounds: 'none' });
  const thousand = await measureDrain({ nodes: 1000, podsPerNode, bounds: 'none' });
  const hundredInTurns = await measureDrain({ nodes: 100, podsPerNode });
  const fourHundredInTurns = await measureDrain({ nodes: 400, podsPerNode });
  const inTurns = await measureDrain({ nodes: 1000, podsPerNode });
  return [
    ...figuresOf('100 nodes, all at once', hundred),
    ...figuresOf('1,000 nodes, all at once', thousand),
    growth('requests a node, 1,000 against 100', thousand.apiRequests, hundred.apiRequests),
    growth('calls to AWS a node, 1,000 against 100', sumOf(thousand.awsCalls), sumOf(hundred.awsCalls)),
    growth(
      'requests a node in turns, 400 against 100',
      fourHundredInTurns.apiRequests,
      hundredInTurns.apiRequests,
      growthInTurnsGoal,
    ),
    growth(
      'calls to AWS a node in turns, 400 against 100',
      sumOf(fourHundredInTurns.awsCalls),
      sumOf(hundredInTurns.awsCalls),
      growthInTurnsGoal,
    ),
    ...figuresOf('1,000 nodes, 50 at once as deployed', inTurns),
  ];
}

export const manyNodes: Suite = {
  name: 'many-nodes',
  about: '1,000 nodes of 10 pods terminated at once, against 100',
  run,
};
