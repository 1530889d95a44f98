import { setTimeout as sleep } from 'node:timers/promises';
import type { Wiring } from '@drover/cloud-sandbox';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { clusterName, hookName } from '../../../local/names.ts';
import { createRealWorld, type RealWorld, type RealWorldOptions } from '../../../local/real-world/world.ts';
import { type CallLog, createCallLog } from './call-log.ts';
import { placePods } from './pods.ts';
import { poll } from './poll.ts';
import { request } from './request.ts';

export interface StagePlan extends Pick<RealWorldOptions, 'aroundRuntime' | 'onLine'> {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** So many of the nodes have pods that their budgets never let go. */
  readonly stuckNodes?: number;
  /** Default: Drover. Others have the account and the cluster to themselves: nothing of Drover hears of an event. */
  readonly contestant?: { readonly hook: string };
}

/** The setup for every contestant: a real cluster of nodes that kwok simulates, with their pods, on simulated instances. */
export interface Stage {
  readonly world: RealWorld;
  readonly nodes: readonly StageNode[];
  /** What was asked of AWS since the pods were there. */
  readonly calls: CallLog;
  /** Terminates all instances at once. */
  terminateAll(): void;
  /** What has gone wrong in the world: `until` throws it. */
  readonly onProblem: (problem: unknown) => void;
  /** Polls every 100 ms. Throws if it takes longer than an hour. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface StageNode {
  readonly instanceId: string;
  readonly nodeName: string;
  readonly isStuck: boolean;
}

const groupName = 'workers';

export async function openStage(plan: StagePlan): Promise<Stage> {
  const problems: unknown[] = [];
  const onProblem = (problem: unknown): void => void problems.push(problem);
  const calls = createCallLog();
  const world = await createRealWorld({
    nodes: 'kwok',
    // Pods are bound to nodes by hand, so that every contestant has the same setup. Recreated pods stay pending.
    withScheduler: false,
    onProblem,
    onAwsRequest: calls.onRequest,
    ...(plan.contestant && { editWiring: silent }),
    ...(plan.aroundRuntime && { aroundRuntime: plan.aroundRuntime }),
    ...(plan.onLine && { onLine: plan.onLine }),
  });
  const until = async (condition: () => boolean): Promise<void> => {
    const end = performance.now() + 3_600_000;
    while (!condition()) {
      if (problems.length > 0) throw new Error('the world has failed', { cause: problems[0] });
      if (performance.now() > end) throw new Error('it does not end');
      await sleep(100);
    }
  };
  const { autoScaling } = world.cloud.account;
  addGroup(world.cloud, {
    autoScalingGroupName: groupName,
    clusterName,
    size: plan.nodes,
    hook: { name: plan.contestant?.hook ?? hookName, heartbeatTimeoutSeconds: 300 },
  });
  const nodes = await joined(world, plan);
  await placePods(world.admin, nodes, plan.podsPerNode);
  // The launch is over. Later calls belong to leaving.
  await sleep(3000);
  calls.reset();
  return {
    world,
    nodes,
    calls,
    onProblem,
    until,
    terminateAll: () => {
      for (const { instanceId: InstanceId } of nodes)
        autoScaling.operations.TerminateInstanceInAutoScalingGroup({
          InstanceId,
          ShouldDecrementDesiredCapacity: true,
        });
    },
    close: () => world.close(),
  };
}

const silent = (wiring: Wiring): Wiring => ({ ...wiring, rules: [], eventSourceMappings: [] });

interface NodeList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly providerID?: string };
    readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  }[];
}

/** Once all Nodes are Ready. */
async function joined(world: RealWorld, plan: StagePlan): Promise<readonly StageNode[]> {
  const ready = await poll(async () => {
    const { items } = await request<NodeList>(world.admin, { path: '/api/v1/nodes' });
    const value = items.filter(({ status }) =>
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
    if (value.length === plan.nodes) return { kind: 'done', value };
    return { kind: 'waiting', found: `${value.length} of ${plan.nodes} Nodes are Ready` };
  });
  return ready.map(({ metadata, spec }, index) => ({
    nodeName: metadata.name,
    instanceId: spec.providerID?.split('/').at(-1) ?? '',
    isStuck: index < (plan.stuckNodes ?? 0),
  }));
}
