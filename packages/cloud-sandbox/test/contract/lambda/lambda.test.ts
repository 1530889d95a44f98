import { createWorkerRuntime } from '../../../src/lambda/worker/worker-runtime.ts';
import { contract } from '../../../truth/contract.ts';
import { answerCases } from './cases.ts';
import { failureCases } from './failure-cases.ts';
import { startCases } from './start-cases.ts';
import { lambdaWorld } from './world.ts';

contract({
  area: 'Lambda',
  world: 'sandbox',
  cases: { ...answerCases, ...failureCases, ...startCases },
  open: () =>
    lambdaWorld(({ clock, ...parts }) => ({
      runtime: createWorkerRuntime({ ...parts, time: () => clock.time() }),
      close: async () => {},
    })),
});
