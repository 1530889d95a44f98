import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../../local/cloud/account.ts';
import { createRandom } from '../../../local/simulation/random.ts';
import type { LogLine } from '../../support/drover-world.ts';
import { configureNode, nodeTags } from '../instances.ts';
import { createKiller, type Killer } from '../killer.ts';
import { openNamespace } from '../namespace.ts';
import type { OwnWorld, Patience, World } from '../world.ts';
import { requestOf } from './kubernetes/objects.ts';
import { startStorageDriver } from './kubernetes/storage.ts';
import { createRealWorld, type RealWorld } from './world.ts';

/** A real cluster in which several scenarios may be at work, each with nodes and a namespace of its own. */
export interface ScenarioCluster {
  open(): Promise<OwnWorld>;
  readonly problems: readonly unknown[];
  close(): Promise<void>;
}

/** EC2 and Auto Scaling take their time; nothing here asks how long. */
const timings = {
  ec2: { bootSeconds: 0.5, terminateSeconds: 1 },
  autoScaling: { reconcileSeconds: 0.2, stepSeconds: 0.2, healthCheckSeconds: 5 },
};

/** How often a condition is looked at. */
const stepMilliseconds = 250;

/** `takesTurns`: a world is opened when the one before is closed. */
export async function startScenarioCluster({
  takesTurns = false,
}: {
  readonly takesTurns?: boolean;
} = {}): Promise<ScenarioCluster> {
  const lines: LogLine[] = [];
  const problems: unknown[] = [];
  const killer = createKiller({ clock: () => real.clock, random: createRandom(7) });
  const real: RealWorld = await createRealWorld({
    nodes: 'kubelet',
    timings,
    configureNode,
    aroundRuntime: killer.around,
    onAwsRequest: killer.onCall,
    onLine: (functionName, line) => lines.push({ functionName, ...(JSON.parse(line) as object) }),
    onProblem: (problem) => problems.push(problem),
  });
  const storage = await startStorageDriver(real.admin, (problem) => problems.push(problem));
  let opened = 0;
  let turn = Promise.resolve();
  return {
    problems,
    open: async () => {
      opened += 1;
      const view = viewOf(real, { scenario: `scenario-${opened}`, lines, killer });
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = turn;
      if (takesTurns) turn = promise;
      await before;
      await openNamespace(view);
      return { ...view, close: () => view.close().finally(resolve) };
    },
    close: async () => {
      await storage.stop();
      await real.close();
    },
  };
}

function viewOf(
  real: RealWorld,
  { scenario, lines, killer }: Pick<World, 'scenario' | 'lines'> & { readonly killer: Killer },
): OwnWorld {
  const { cloud, admin, controlPlane } = real;
  const world: OwnWorld = {
    account: cloud.account,
    scenario,
    lines,
    now: () => Date.now(),
    pass: (seconds) => sleep(seconds * 1000),
    until: untilHolds,
    request: (method, path, body) => requestOf(admin, { method, path, ...(body && { body }) }),
    kubelet: (instanceId) => {
      const kubelet = cloud.kubelets.get(instanceId);
      if (!kubelet) throw new RangeError(`no kubelet runs on ${instanceId}`);
      return kubelet;
    },
    runStaticPod: async (nodeName, manifest) => real.runStaticPod(nodeName, manifest),
    invoke: (functionName, event) => cloud.lambda.invoke(functionName, event),
    apiServer: controlPlane.apiServer,
    killNext: killer.killNext,
    killed: killer.killed,
    close: async () => {
      deleteGroups(cloud.account, scenario);
      const ofScenario = `labelSelector=${encodeURIComponent(`${nodeTags.scenario}=${scenario}`)}`;
      await world.request('DELETE', `/api/v1/nodes?${ofScenario}`);
      await world.request('DELETE', `/api/v1/namespaces/${scenario}`);
    },
  };
  return world;
}

async function untilHolds(
  condition: () => boolean | Promise<boolean>,
  { withinSeconds, what }: Patience,
): Promise<void> {
  const end = performance.now() + withinSeconds * 1000;
  while (!(await condition())) {
    if (performance.now() >= end) throw new Error(`${what} did not happen within ${withinSeconds} seconds`);
    await sleep(stepMilliseconds);
  }
}

function deleteGroups({ autoScaling }: Account, scenario: string): void {
  for (const { AutoScalingGroupName = '' } of autoScaling.operations.DescribeAutoScalingGroups({})
    .AutoScalingGroups)
    if (AutoScalingGroupName.startsWith(`${scenario}-`))
      autoScaling.operations.DeleteAutoScalingGroup({ AutoScalingGroupName, ForceDelete: true });
}
