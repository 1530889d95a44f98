import { join } from 'node:path';
import { createDroverWorld, stateOf, terminate, withWorkers } from '../../../local/world/drover-world.ts';
import { create, deployment } from '../../../local/world/workloads.ts';
import type { Figure, Suite } from '../figure.ts';
import { largeNodes, requirePods } from '../large-nodes.ts';
import { leavingQueue } from '../leaving-queue.ts';
import { startPackaged } from '../packaged-function.ts';
import { openWire } from '../wire-world.ts';

const pods = 110;
const functionName = 'node-leaving';
const megabytesGoal = 128;
const passesAtMost = 10;
/** The child process runs in real time, so the simulation is advanced until its node is full. */
const headStartSeconds = 120;

/** A node full of pods. Its instance waits on its hook, and only the child process works on it. */
async function leavingNode() {
  const world = createDroverWorld();
  world.clock.moveTo(Date.now() - headStartSeconds * 1000);
  const [instanceId = ''] = await withWorkers(world, { ...largeNodes, size: 1 });
  await create(world, deployment({ name: 'web', replicas: pods, graceSeconds: 2 }));
  await world.timeline.pass(60);
  requirePods(world, pods);
  world.lambda.stop();
  terminate(world, instanceId, { replace: false });
  await world.timeline.pass(1);
  return { world, instanceId };
}

async function run(): Promise<readonly Figure[]> {
  const { world, instanceId } = await leavingNode();
  const wire = await openWire(world, functionName);
  const child = startPackaged(join('dist', 'functions', functionName, 'index.cjs'), wire.environment);
  const queue = leavingQueue(world);
  const peaks: number[] = [];
  try {
    queue.send(instanceId);
    while (stateOf(world, instanceId) === 'Terminating:Wait' && peaks.length < passesAtMost) {
      const { peakKilobytes } = await child.invoke(await queue.receive());
      peaks.push(peakKilobytes);
      await world.timeline.pass(20);
    }
  } finally {
    child.close();
    await wire.close();
  }
  if (stateOf(world, instanceId) === 'Terminating:Wait') throw new Error('the node was not drained');
  return peaks.map((peak, index) => ({
    name: `after pass ${index + 1} over a node of ${pods} pods`,
    value: (peak * 1024) / 1e6,
    unit: 'MB',
    goal: megabytesGoal,
  }));
}

export const memory: Suite = {
  name: 'memory',
  about: 'the most memory that the packaged node-leaving has had, in a process of its own, sockets and all',
  run,
};
