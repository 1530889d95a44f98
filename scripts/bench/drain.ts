import type { Wiring } from '@drover/cloud-sandbox';
import type { RequestLimits } from '@drover/cloud-sandbox/aws';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  membersOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { create, deployment } from '../../local/world/workloads.ts';
import { largeNodes, requirePods } from './large-nodes.ts';
import { callLedger } from './ledger.ts';

export interface DrainPlan {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Nodes beside those that leave; at least as many as leave, so that pods find a place. */
  readonly bystanders?: number;
  /** So many leave before anything is counted: functions are warm then. */
  readonly before?: number;
  /** `deployed`: the limits of serverless.yml apply; `none`: all nodes leave at once. */
  readonly bounds?: 'deployed' | 'none';
  /** Defaults to no limits but those of SSM and Route 53. */
  readonly requestLimits?: RequestLimits;
  /** Defaults to five minutes. */
  readonly heartbeatTimeoutSeconds?: number;
}

/** What it has cost; everything that is counted is counted per node. */
export interface DrainCost {
  readonly simulatedSeconds: number;
  /** CPU time, because other programs run on the machine. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly apiRequests: number;
  readonly apiBytes: number;
  readonly evictions: number;
  /** Calls of intake and node-leaving to AWS, by `function service operation`. */
  readonly awsCalls: ReadonlyMap<string, number>;
  readonly podsForced: number;
  readonly autoScaling: AutoScalingCost;
}

/** The calls of all functions together. */
export interface AutoScalingCalls {
  readonly changes: number;
  readonly refusedChanges: number;
  readonly reads: number;
}

interface AutoScalingCost extends AutoScalingCalls {
  /** Instances whose wait ended before a pass has completed it. */
  readonly lost: number;
}

const leaving = 'workers';
const podsPerDeployment = 100;
const graceSeconds = 2;
/**
 * EC2 and Auto Scaling report an instance that has gone, and intake reads that: part of the cost. So is the read with which heartbeats find that a wait is
 * over, a third of its timeout of 300 s later.
 */
const echoSeconds = 120;

/** Terminates nodes, all at once, and counts until the last is gone. Nothing blocks: there are no budgets. */
export async function measureDrain(plan: DrainPlan): Promise<DrainCost> {
  const { nodes, before = 0 } = plan;
  const ledger = callLedger();
  const world = createDroverWorld({
    weather: { onCall: ledger.onCall },
    ...(plan.requestLimits && { requestLimits: plan.requestLimits }),
    ...(plan.bounds === 'none' && { editWiring: withoutBounds }),
  });
  const instanceIds = await furnish(world, plan);
  await leave(world, instanceIds.slice(0, before));
  await world.timeline.pass(echoSeconds);
  world.kubernetes.requests.reset();
  ledger.reset();
  world.account.requests.reset();
  const linesBefore = world.lines.length;
  const startedAt = world.clock.now();
  const effort = stopwatch();
  await leave(world, instanceIds.slice(before));
  const simulatedSeconds = (world.clock.now() - startedAt) / 1000;
  const { cpuSeconds, wallSeconds } = effort();
  const { requests, bytes, evictions } = kubernetesCost(world);
  const calls = autoScalingCalls(world);
  await world.timeline.pass(echoSeconds);
  requireNoFailures(world);
  return {
    simulatedSeconds,
    cpuSeconds,
    wallSeconds,
    apiRequests: requests / nodes,
    apiBytes: bytes / nodes,
    evictions: evictions / nodes,
    awsCalls: ledger.awsCalls(nodes),
    podsForced: podsForced(world.lines.slice(linesBefore)),
    autoScaling: { ...calls, lost: nodes - completions(world.lines.slice(linesBefore)) },
  };
}

/** Also if AWS refuses calls: a run that cannot do everything reports it and ends without an error. */
function requireNoFailures({ problems }: DroverWorld): void {
  const [failure] = problems;
  if (failure !== undefined) throw new Error(`a function failed: ${JSON.stringify(failure)}`);
}

function stopwatch() {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { wallSeconds: (performance.now() - wall) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}

/** The operator's limits are lifted, so that all nodes leave at once. */
const withoutBounds = (wiring: Wiring): Wiring => ({
  ...wiring,
  functions: wiring.functions.map((one) => ({
    ...one,
    environment: {
      ...one.environment,
      DROVER_MAX_LEAVING_PER_GROUP: '100000',
      DROVER_MAX_LEAVING_PER_CLUSTER: '100000',
    },
  })),
});

/** The pods are placed before there are other nodes, so that every node gets its share. */
async function furnish(world: DroverWorld, plan: DrainPlan): Promise<readonly string[]> {
  const { nodes, podsPerNode, before = 0, bystanders = nodes } = plan;
  const size = nodes + before;
  const { heartbeatTimeoutSeconds = 300 } = plan;
  const hook = { name: hookName, heartbeatTimeoutSeconds };
  const group = { ...largeNodes, settings: { MaxSize: 10_000 }, hook };
  const instanceIds = await withWorkers(world, { ...group, size });
  const pods = size * podsPerNode;
  for (let placed = 0; placed < pods; placed += podsPerDeployment) {
    const replicas = Math.min(podsPerDeployment, pods - placed);
    await create(world, deployment({ name: `web-${placed}`, replicas, graceSeconds }));
  }
  await world.timeline.pass(30);
  requirePods(world, pods);
  await withWorkers(world, { ...group, size: bystanders, autoScalingGroupName: 'bystanders' });
  return instanceIds;
}

async function leave(world: DroverWorld, instanceIds: readonly string[]): Promise<void> {
  if (instanceIds.length === 0) return;
  const size = membersOf(world, leaving).length - instanceIds.length;
  for (const instanceId of instanceIds) terminate(world, instanceId, { replace: false });
  let lookedAt = 0;
  const haveLeft = (): boolean => {
    if (world.clock.now() - lookedAt < 1000) return false;
    lookedAt = world.clock.now();
    return membersOf(world, leaving).length <= size;
  };
  await world.timeline.until(haveLeft, { withinSeconds: 7200, what: 'the end of every instance' });
}

/** Without Events, as in the audit logs of the others. */
function kubernetesCost({ kubernetes }: DroverWorld) {
  const counts = [...kubernetes.requests.counts()].filter(([subject]) => !subject.endsWith(' events'));
  return {
    requests: counts.reduce((sum, [, { requests }]) => sum + requests, 0),
    bytes: counts.reduce((sum, [, { responseBytes }]) => sum + responseBytes, 0),
    evictions: kubernetes.requests.counts().get('create pods/eviction')?.requests ?? 0,
  };
}

export function autoScalingCalls({ account }: DroverWorld): AutoScalingCalls {
  const counts = [...account.requests.counts()].filter(([name]) => name.startsWith('autoscaling '));
  const reads = counts.filter(([name]) => name.includes(' Describe'));
  const changes = counts.filter(([name]) => !name.includes(' Describe'));
  const sum = (entries: typeof counts, count: 'calls' | 'refused') =>
    entries.reduce((total, [, counted]) => total + counted[count], 0);
  return {
    changes: sum(changes, 'calls'),
    refusedChanges: sum(changes, 'refused'),
    reads: sum(reads, 'calls'),
  };
}

/** How many instances were released by the completion of their hook. */
const completions = (lines: DroverWorld['lines']): number =>
  new Set(
    lines.flatMap(({ work, outcome, reason, subject }) =>
      work === 'node-leaving' && outcome === 'done' && String(reason).includes('its hook is completed')
        ? [subject]
        : [],
    ),
  ).size;

const podsForced = (lines: DroverWorld['lines']): number =>
  lines.reduce((sum, { facts }) => sum + forcedIn(facts), 0);

const forcedIn = (facts: unknown): number =>
  typeof facts === 'object' && facts !== null && 'podsForced' in facts ? Number(facts.podsForced) : 0;
