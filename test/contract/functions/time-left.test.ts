import { createWorkerRuntime } from '@drover/cloud-sandbox/lambda';
import { lambdaWorld } from '@drover/cloud-sandbox/test/contract/lambda/world.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { timeLeftCases } from './time-left-cases.ts';

contract({
  area: "Drover's functions",
  world: 'sandbox',
  cases: timeLeftCases,
  open: () =>
    lambdaWorld(({ clock, ...parts }) => ({
      runtime: createWorkerRuntime({ ...parts, time: () => clock.time() }),
      close: async () => {},
    })),
});
