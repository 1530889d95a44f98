import { setTimeout as sleep } from 'node:timers/promises';
import { sumOf } from '../ledger.ts';
import { readAudit, requestsOf } from './audit.ts';
import { watchPodEnds } from './pod-ends.ts';
import { request } from './request.ts';
import type { Stage } from './stage.ts';

export interface Contest {
  /** The contestant's user at the API server. */
  readonly username: string;
  /** Everything begins with it; resolves once it is under way. */
  readonly begin: () => void | Promise<void>;
  /** When each node was done with, by its instance id; epoch milliseconds. Default: when its hook was completed. */
  readonly completions?: ReadonlyMap<string, number>;
}

export interface Outcome {
  /** Until the last node that is not stuck was done with. */
  readonly seconds: number;
  readonly apiRequestsPerNode: number;
  readonly awsCallsPerNode: number;
  /** Nodes that were done with while a pod was still on them. */
  readonly completedWithPodsLeft: number;
  /** Nodes that were not done with when none had been for ten minutes. */
  readonly lost: number;
  /** For each node that is not stuck, in ascending order. */
  readonly nodeSeconds: readonly number[];
}

/** Longer than the queue hides the message of a function that was killed, twice. */
const patienceMilliseconds = 600_000;
/** By then the API server has written its log. */
const auditDelayMilliseconds = 2000;

export async function measure(stage: Stage, contest: Contest): Promise<Outcome> {
  const { world, nodes, calls } = stage;
  const { completions = calls.completions } = contest;
  const podsOf = await podsByNode(stage);
  const podEnds = await watchPodEnds(world.controlPlane.etcdUrl, stage.onProblem);
  const free = nodes.filter(({ isStuck }) => !isStuck);
  const startedAt = Date.now();
  await contest.begin();
  const isOver = (): boolean =>
    Date.now() - Math.max(startedAt, ...completions.values()) > patienceMilliseconds;
  await stage.until(() => isOver() || free.every(({ instanceId }) => completions.has(instanceId)));
  await sleep(auditDelayMilliseconds);
  podEnds.stop();
  const audited = readAudit(world.controlPlane.files.auditLog, startedAt);
  const endOf = (instanceId: string): number => completions.get(instanceId) ?? Number.POSITIVE_INFINITY;
  const nodeSeconds = free
    .map(({ instanceId }) => (endOf(instanceId) - startedAt) / 1000)
    .filter(Number.isFinite)
    .toSorted((one, other) => one - other);
  const early = free.filter(({ instanceId, nodeName }) => {
    const gone = lastEnd(podEnds.at, podsOf.get(nodeName) ?? []);
    return Number.isFinite(endOf(instanceId)) && endOf(instanceId) < gone;
  });
  return {
    seconds: nodeSeconds.at(-1) ?? Number.NaN,
    apiRequestsPerNode: requestsOf(audited, contest.username) / nodes.length,
    awsCallsPerNode: sumOf(calls.counts()) / nodes.length,
    completedWithPodsLeft: early.length,
    lost: free.length - nodeSeconds.length,
    nodeSeconds,
  };
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName?: string };
  }[];
}

async function podsByNode({ world }: Stage): Promise<ReadonlyMap<string, readonly string[]>> {
  const { items } = await request<PodList>(world.admin, { path: '/api/v1/namespaces/default/pods' });
  const byNode = Map.groupBy(items, ({ spec }) => spec.nodeName ?? '');
  return new Map([...byNode].map(([node, pods]) => [node, pods.map(({ metadata }) => metadata.name)]));
}

/** When the last of these pods had gone; infinity where one has not. */
const lastEnd = (podEnds: ReadonlyMap<string, number>, pods: readonly string[]): number =>
  Math.max(0, ...pods.map((name) => podEnds.get(name) ?? Number.POSITIVE_INFINITY));
