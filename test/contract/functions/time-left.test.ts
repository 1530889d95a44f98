import { createWorkerRuntime } from '../../../packages/cloud-sandbox/src/lambda/worker/worker-runtime.ts';
import { lambdaWorld } from '../../../packages/cloud-sandbox/test/contract/lambda/world.ts';
import { contract } from '../../../packages/cloud-sandbox/truth/contract.ts';
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
