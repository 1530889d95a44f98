import { documentedLimits, type RequestLimits } from '@drover/cloud-sandbox/aws';
import { measureDrain } from '../drain.ts';
import type { Figure, Suite } from '../figure.ts';
import { measureLaunch } from '../launch.ts';
import { measureLogIns } from '../log-ins.ts';

const podsPerNode = 5;

/** A crowd that leaves at once, and how many calls a second Auto Scaling accepts. */
interface Crowd {
  readonly nodes: number;
  readonly perSecond: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly secondsGoal?: number;
  /** Reads and changes share one bucket: AWS does not publish whether there are two. */
  readonly oneBucket?: true;
}

const crowds: readonly Crowd[] = [
  { nodes: 400, perSecond: 5, heartbeatTimeoutSeconds: 300, secondsGoal: 240 },
  { nodes: 400, perSecond: 5, heartbeatTimeoutSeconds: 300, secondsGoal: 240, oneBucket: true },
  { nodes: 400, perSecond: 10, heartbeatTimeoutSeconds: 300, secondsGoal: 180 },
  { nodes: 1000, perSecond: 10, heartbeatTimeoutSeconds: 300, secondsGoal: 480 },
  { nodes: 1000, perSecond: 5, heartbeatTimeoutSeconds: 300 },
  { nodes: 40, perSecond: 5, heartbeatTimeoutSeconds: 30, oneBucket: true },
];

function limitsOf({ perSecond, oneBucket }: Pick<Crowd, 'perSecond' | 'oneBucket'>): RequestLimits {
  const bucket = { burst: 20, perSecond };
  const autoScaling = oneBucket ? { calls: bucket } : { changes: bucket, reads: bucket };
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
  const bucket = crowd.oneBucket ? ', reads and changes together' : '';
  const name = `${nodes} nodes, hooks of ${heartbeatTimeoutSeconds} s, ${perSecond} calls a second${bucket}`;
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

const launched = 300;

/** Their Nodes are Ready after a minute, all at the same time. */
async function launchFigures(): Promise<readonly Figure[]> {
  const { autoScaling, lost, simulatedSeconds } = await measureLaunch({
    nodes: launched,
    heartbeatTimeoutSeconds: 300,
    readyDelaySeconds: 60,
    requestLimits: limitsOf({ perSecond: 5 }),
  });
  const name = `${launched} launches with hooks that abandon, 5 calls a second`;
  return [
    { name: `${name}: lost`, value: lost, unit: 'instances', goal: 0 },
    {
      name: `${name}: changes of Auto Scaling a node, refused ones too`,
      value: autoScaling.changes / launched,
      unit: 'calls',
    },
    {
      name: `${name}: reads of Auto Scaling a second`,
      value: autoScaling.reads / simulatedSeconds,
      unit: 'calls',
      goal: 2,
    },
    { name: `${name}: until the last is in service`, value: simulatedSeconds, unit: 'simulated s' },
  ];
}

async function logInFigures(): Promise<readonly Figure[]> {
  const { burst, steady, throttled } = await measureLogIns({ nodes: 200, apiServers: 3 });
  const name = 'log-ins of 200 nodes at 3 API servers';
  return [
    {
      name: `${name}, at once: EC2 calls an environment`,
      value: burst.ec2PerEnvironment,
      unit: 'calls',
      goal: 1,
    },
    { name: `${name}, steady: EC2 calls a second`, value: steady.ec2PerSecond, unit: 'calls', goal: 2 },
    {
      name: `${name}, AWS refuses for 9 minutes: not admitted`,
      value: throttled.refused,
      unit: 'reviews',
      goal: 0,
    },
  ];
}

async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [...(await logInFigures())];
  for (const crowd of crowds) figures.push(...(await figuresOf(crowd)));
  return [...figures, ...(await launchFigures())];
}

export const rateLimits: Suite = {
  name: 'rate-limits',
  about: 'many nodes that leave or launch at once while Auto Scaling accepts a few calls a second',
  run,
};
