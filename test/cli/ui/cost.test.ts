import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';
import { startUi } from './start-ui.ts';

const minute = 60;
/** Longer than what is read once. */
const warmUp = 120;

interface Calls {
  readonly aws: number;
  readonly kubernetes: number;
}

/** The calls of a minute, once everything was read for the first time. A page asks every half second; so do more pages together. */
async function callsOfAMinute(world: DroverWorld, asksASecond = 2): Promise<Calls> {
  const calls = { aws: 0, kubernetes: 0 };
  const { sendHttp } = world.doors('operator');
  const ui = await startUi(world, 'ui', {
    onAwsCall: () => {
      calls.aws += 1;
    },
    sendHttp: (request) => {
      calls.kubernetes += 1;
      return sendHttp(request);
    },
  });
  const watch = async (seconds: number): Promise<void> => {
    for (let turn = 0; turn < seconds * asksASecond; turn += 1) {
      await ui.state();
      await world.timeline.pass(1 / asksASecond);
    }
  };
  await watch(warmUp);
  const before = { ...calls };
  await watch(minute);
  return { aws: calls.aws - before.aws, kubernetes: calls.kubernetes - before.kubernetes };
}

it('makes as many calls a minute as the documentation says, and no more for three pages than for one', async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 2 });
  await withWorkers(world, { size: 2, autoScalingGroupName: 'more-workers' });
  await operatorOf(world)('hold create workers 3 --for 3h --name launch-day');
  await world.timeline.pass(200);
  const documented = /(\d+) calls to AWS and (\d+) to the API server a minute/.exec(
    readFileSync('docs/dashboard.md', 'utf8').replaceAll('\n', ' '),
  );
  const one = await callsOfAMinute(world);
  expect(one).toEqual({ aws: Number(documented?.[1]), kubernetes: Number(documented?.[2]) });
  expect(await callsOfAMinute(world, 6)).toEqual(one);
});
