import type { CallInFlight } from '@drover/cloud-sandbox';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { clusterName, createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { putHold } from '../../../local/world/holds.ts';
import { callScaleApi } from '../../../local/world/scale-api-call.ts';
import type { Figure, Suite } from '../figure.ts';

const groups = 100;
const nodesPerGroup = 10;
const cpuGoal = 150;
/** Ten pages of holds, ten of records, one of groups and one of schedules. */
const callsGoal = groups / 10 + groups / 10 + 2;

const reads = ['/groups', '/instances', '/holds', '/status'] as const;

/** A hundred groups of ten nodes with a hold each, and what prewarm asks AWS for. */
async function heldWorld(): Promise<{ readonly world: DroverWorld; readonly calls: string[] }> {
  const calls: string[] = [];
  const strike = ({ caller, to, what }: CallInFlight): undefined => {
    if (caller === 'prewarm' && to === 'aws') calls.push(what);
  };
  const world = createDroverWorld({ weather: { strike } });
  for (let index = 0; index < groups; index += 1) {
    const autoScalingGroupName = `workers-${index}`;
    addGroup(world, { autoScalingGroupName, clusterName, size: nodesPerGroup });
    putHold(world, { group: autoScalingGroupName, nodes: nodesPerGroup, minutes: 600 });
  }
  await world.timeline.pass(600);
  const nodes = world.kubernetes.store.of('nodes').size;
  if (nodes !== groups * nodesPerGroup) throw new Error(`${nodes} nodes have joined`);
  return { world, calls };
}

async function quietLook({ world, calls }: Awaited<ReturnType<typeof heldWorld>>): Promise<number> {
  calls.length = 0;
  const outcome = await world.lambda.invoke('prewarm', {});
  if (outcome.kind !== 'succeeded') throw new Error(`prewarm ended with ${outcome.kind}`);
  return calls.length;
}

/** The processor time of a warm read, the simulated AWS and API server included: the least of five. */
async function cpuOf(world: DroverWorld, target: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const before = process.cpuUsage();
    const { statusCode } = await callScaleApi(world, 'GET', target);
    if (statusCode !== 200) throw new Error(`GET ${target} was answered with ${statusCode}`);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times.slice(1));
}

async function run(): Promise<readonly Figure[]> {
  const held = await heldWorld();
  const figures: Figure[] = [
    { name: 'a quiet look at 100 holds', value: await quietLook(held), unit: 'calls', goal: callsGoal },
  ];
  for (const target of reads)
    figures.push({
      name: `GET ${target} with 100 groups and 1,000 nodes`,
      value: await cpuOf(held.world, target),
      unit: 'CPU ms',
      goal: cpuGoal,
    });
  return figures;
}

export const capacity: Suite = {
  name: 'capacity',
  about: 'calls of prewarm to AWS in a quiet look, and the processor time of reads of the scale API',
  run,
};
