import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { newVersion, putRoll, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { budget, create, deployment } from '../../local/world/workloads.ts';
import { requirePods } from './large-nodes.ts';
import { callLedger, sumOf } from './ledger.ts';

/** Who orders the replacement. Drover's hooks drain the nodes in both. */
export type RolledBy = 'drover roll' | 'instance refresh';

export interface RollPlan {
  readonly by: RolledBy;
  readonly nodes: number;
  readonly podsPerNode: number;
  /** How many instances are replaced at once. Their replacements are launched first in both. */
  readonly atOnce: number;
  /** From its launch until an instance is running, and until its Node is Ready. Default: those of the sandbox. */
  readonly boot?: { readonly runningSeconds: number; readonly readySeconds: number };
}

/** What it has cost until the last old instance is gone. */
export interface RollCost {
  /** How often a pod was evicted, on average over the pods that ran before. */
  readonly evictionsPerPod: number;
  /** The fewest Ready pods that one of the workloads had, of ten. */
  readonly fewestReady: number;
  readonly simulatedSeconds: number;
  /** What functions call for nodes that leave, and `roll` for all of them; a node. */
  readonly awsCalls: number;
  /** Requests of all clients to the API server, a node; without Events. */
  readonly apiRequests: number;
}

const group = 'workers';
const replicas = 10;

/**
 * Replaces all nodes of a group by a new image. Each ten pods are a Deployment under a budget that lets one go at a time; nodes have room for
 * more than twice the pods.
 * @throws Error if a function fails, or if an old instance is left after a day
 */
export async function measureRoll({ by, nodes, podsPerNode, atOnce, boot }: RollPlan): Promise<RollCost> {
  const ledger = callLedger(['intake', 'heartbeats', 'node-leaving', 'roll']);
  const world = createDroverWorld({
    weather: { onCall: ledger.onCall },
    ...(boot && {
      timings: { ec2: { bootSeconds: boot.runningSeconds } },
      kubelets: { joinSeconds: boot.readySeconds - boot.runningSeconds },
    }),
  });
  await withWorkers(world, { size: nodes, settings: { MaxSize: nodes } });
  const pods = nodes * podsPerNode;
  for (let index = 0; index < pods / replicas; index += 1) {
    const name = `web-${index}`;
    await create(world, deployment({ name, replicas }), budget(name, { maxUnavailable: 1 }));
  }
  await world.timeline.pass(60);
  requirePods(world, pods);
  const watched = watchPods(world);
  world.kubernetes.requests.reset();
  ledger.reset();
  const startedAt = world.clock.now();
  const target = newVersion(world, 'ami-0000000000000new0');
  if (by === 'drover roll') putRoll(world, { [group]: target }, { surge: atOnce, bakeSeconds: 0 });
  else refresh(world, { nodes, atOnce });
  await world.timeline.until(() => isReplaced(world, { by, nodes, version: target.version }), {
    withinSeconds: 86_400,
    what: `the end of what ${by} replaces`,
  });
  const [failure] = world.problems;
  if (failure !== undefined) throw new Error(`a function failed: ${JSON.stringify(failure)}`);
  return {
    evictionsPerPod: watched.evictions() / pods,
    fewestReady: watched.fewestReady(),
    simulatedSeconds: (world.clock.now() - startedAt) / 1000,
    awsCalls: sumOf(ledger.awsCalls(nodes)),
    apiRequests: requestsTo(world) / nodes,
  };
}

/** Launches as many above the desired capacity as are replaced at once, and terminates none before. */
function refresh({ account }: DroverWorld, { nodes, atOnce }: Pick<RollPlan, 'nodes' | 'atOnce'>): void {
  account.autoScaling.operations.StartInstanceRefresh({
    AutoScalingGroupName: group,
    Preferences: {
      MinHealthyPercentage: 100,
      MaxHealthyPercentage: 100 + Math.round((100 * atOnce) / nodes),
      InstanceWarmup: 0,
    },
  });
}

function isReplaced(
  world: DroverWorld,
  { by, nodes, version }: Pick<RollPlan, 'by' | 'nodes'> & { readonly version: number },
): boolean {
  if (by === 'drover roll') return seenOf(world)?.state === 'done';
  const versions = versionsOf(world, group);
  return (
    versions.every((one) => one === version) &&
    membersOf(world, group).filter(({ LifecycleState }) => LifecycleState === 'InService').length === nodes
  );
}

/** Counts each pod that begins to end, and how many pods of each workload are Ready. */
function watchPods({ kubernetes }: DroverWorld) {
  const pods = kubernetes.store.of('pods');
  const ready = new Map<string, number>();
  for (const pod of pods.list()) count(ready, pod, isReady(pod) ? 1 : 0);
  let [evictions, fewestReady] = [0, replicas];
  pods.subscribe(({ type, object, previous }) => {
    const ends = object.metadata.deletionTimestamp !== undefined;
    if (ends && previous !== undefined && previous.metadata.deletionTimestamp === undefined) evictions += 1;
    const now = type !== 'DELETED' && isReady(object);
    const before = previous !== undefined && isReady(previous);
    fewestReady = Math.min(fewestReady, count(ready, object, Number(now) - Number(before)));
  });
  return { evictions: () => evictions, fewestReady: () => fewestReady };
}

function count(ready: Map<string, number>, { metadata }: Pod, change: number): number {
  const workload = metadata?.labels?.app ?? '';
  const sum = (ready.get(workload) ?? 0) + change;
  ready.set(workload, sum);
  return sum;
}

/** As a budget counts: a pod that ends is not healthy any more. */
const isReady = ({ metadata, status }: Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');

function requestsTo({ kubernetes }: DroverWorld): number {
  const counts = [...kubernetes.requests.counts()].filter(([subject]) => !subject.endsWith(' events'));
  return counts.reduce((sum, [, { requests }]) => sum + requests, 0);
}
