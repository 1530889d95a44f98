import { join } from 'node:path';
import { createDroverWorld, stateOf, terminate, withWorkers } from '../../../local/world/drover-world.ts';
import { create, deployment } from '../../../local/world/workloads.ts';
import type { Figure, Suite } from '../figure.ts';
import { largeNodes, requirePods } from '../large-nodes.ts';
import { leavingQueue } from '../leaving-queue.ts';
import { startPackaged } from '../packaged-function.ts';
import { openWire } from '../wire-world.ts';

const megabytesGoal = 128;
const passesAtMost = 10;
/** The child process runs in real time, so the simulation is advanced until its nodes are full. */
const headStartSeconds = 120;

/** A cluster with one Auto Scaling group, of which one node leaves. */
interface Cluster {
  readonly nodes: number;
  readonly podsPerNode: number;
}

/** The instance of one node waits on its hook, and only the child process works on it. */
async function leavingNode({ nodes, podsPerNode }: Cluster) {
  const world = createDroverWorld();
  world.clock.moveTo(Date.now() - headStartSeconds * 1000);
  const [instanceId = ''] = await withWorkers(world, { ...largeNodes, size: nodes });
  await create(world, deployment({ name: 'web', replicas: nodes * podsPerNode, graceSeconds: 2 }));
  await world.timeline.pass(60);
  requirePods(world, nodes * podsPerNode);
  world.lambda.stop();
  terminate(world, instanceId, { replace: false });
  await world.timeline.pass(1);
  return { world, instanceId };
}

/** The most memory of node-leaving after each pass until the node is empty, in MB. */
async function peaksOfLeaving(cluster: Cluster): Promise<readonly number[]> {
  const { world, instanceId } = await leavingNode(cluster);
  const wire = await openWire(world, 'node-leaving');
  const child = startPackaged(bundleOf('node-leaving'), wire.environment);
  const queue = leavingQueue(world);
  const peaks: number[] = [];
  try {
    queue.send(instanceId);
    while (stateOf(world, instanceId) === 'Terminating:Wait' && peaks.length < passesAtMost) {
      peaks.push(megabytesOf(await child.invoke(await queue.receive())));
      await world.timeline.pass(20);
    }
  } finally {
    child.close();
    await wire.close();
  }
  if (stateOf(world, instanceId) === 'Terminating:Wait') throw new Error('the node was not drained');
  return peaks;
}

/** The most memory of a sweep, which lists all Nodes, in MB. */
async function peakOfSweep(cluster: Cluster): Promise<number> {
  const { world } = await leavingNode(cluster);
  const wire = await openWire(world, 'sweep');
  const child = startPackaged(bundleOf('sweep'), wire.environment);
  try {
    return megabytesOf(await child.invoke({}));
  } finally {
    child.close();
    await wire.close();
  }
}

const bundleOf = (functionName: string): string => join('dist', 'functions', functionName, 'index.cjs');

const megabytesOf = ({ peakKilobytes }: { readonly peakKilobytes: number }): number =>
  (peakKilobytes * 1024) / 1e6;

async function run(): Promise<readonly Figure[]> {
  const full = await peaksOfLeaving({ nodes: 1, podsPerNode: 110 });
  const few = { nodes: 10, podsPerNode: 10 };
  const many = { nodes: 1000, podsPerNode: 10 };
  const amongFew = Math.max(...(await peaksOfLeaving(few)));
  const amongMany = Math.max(...(await peaksOfLeaving(many)));
  return [
    ...full.map((value, index) => ({
      name: `after pass ${index + 1} over a node of 110 pods`,
      value,
      unit: 'MB',
      goal: megabytesGoal,
    })),
    { name: 'node-leaving, one node of 10', value: amongFew, unit: 'MB' },
    { name: 'node-leaving, one node of 1,000', value: amongMany, unit: 'MB', goal: megabytesGoal },
    { name: 'node-leaving, 1,000 nodes against 10', value: amongMany / amongFew, unit: 'x' },
    { name: 'sweep of 10 nodes', value: await peakOfSweep(few), unit: 'MB' },
    { name: 'sweep of 1,000 nodes', value: await peakOfSweep(many), unit: 'MB' },
  ];
}

export const memory: Suite = {
  name: 'memory',
  about: 'the most memory that packaged functions have had, each in a process of its own, sockets and all',
  run,
};
