import { documentedLimits, type RequestLimits } from '@drover/cloud-sandbox/aws';
import { measureDrain } from '../drain.ts';
import type { Figure, Suite } from '../figure.ts';

const podsPerNode = 5;

/** A crowd that leaves at once, and how many calls a second Auto Scaling accepts. */
interface Crowd {
  readonly nodes: number;
  readonly perSecond: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly secondsGoal?: number;
  /** Reads have a bucket of their own. */
  readonly readsApart?: true;
}

const crowds: readonly Crowd[] = [
  { nodes: 400, perSecond: 5, heartbeatTimeoutSeconds: 300, secondsGoal: 240 },
  { nodes: 400, perSecond: 10, heartbeatTimeoutSeconds: 300, secondsGoal: 180 },
  { nodes: 1000, perSecond: 10, heartbeatTimeoutSeconds: 300, secondsGoal: 480 },
  // Its heartbeats need 3.3 calls a second at least, so that reads of the same bucket would leave too few.
  { nodes: 1000, perSecond: 5, heartbeatTimeoutSeconds: 300, readsApart: true },
  { nodes: 40, perSecond: 5, heartbeatTimeoutSeconds: 30 },
];

/** One bucket for reads and changes by default: AWS does not publish whether there are two, and one is harder. */
function limitsOf({ perSecond, readsApart }: Crowd): RequestLimits {
  const bucket = { burst: 20, perSecond };
  const autoScaling = readsApart ? { changes: bucket, reads: bucket } : { calls: bucket };
  return { ...documentedLimits, autoScaling };
}

async function figuresOf(crowd: Crowd): Promise<readonly Figure[]> {
  const { nodes, perSecond, heartbeatTimeoutSeconds, secondsGoal } = crowd;
  const cost = await measureDrain({
    nodes,
    podsPerNode,
    heartbeatTimeoutSeconds,
    requestLimits: limitsOf(crowd),
  });
  const apart = crowd.readsApart ? ', reads apart' : '';
  const name = `${nodes} nodes, hooks of ${heartbeatTimeoutSeconds} s, ${perSecond} calls a second${apart}`;
  const { changes, refusedChanges, reads, lost } = cost.autoScaling;
  return [
    { name: `${name}: lost`, value: lost, unit: 'instances', goal: 0 },
    { name: `${name}: pods forced`, value: cost.podsForced, unit: 'pods', goal: 0 },
    {
      name: `${name}: changes of Auto Scaling a node, refused ones too`,
      value: changes / nodes,
      unit: 'calls',
      ...(perSecond === 5 && nodes === 400 && { goal: 3 }),
    },
    { name: `${name}: refused changes a node`, value: refusedChanges / nodes, unit: 'calls' },
    {
      name: `${name}: reads of Auto Scaling a second`,
      value: reads / cost.simulatedSeconds,
      unit: 'calls',
      goal: 2,
    },
    {
      name: `${name}: until the last is gone`,
      value: cost.simulatedSeconds,
      unit: 'simulated s',
      ...(secondsGoal !== undefined && { goal: secondsGoal }),
    },
  ];
}

async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const crowd of crowds) figures.push(...(await figuresOf(crowd)));
  return figures;
}

export const rateLimits: Suite = {
  name: 'rate-limits',
  about: 'many nodes that leave at once while Auto Scaling accepts a few calls a second',
  run,
};
