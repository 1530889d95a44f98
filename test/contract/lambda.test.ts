import { createWorkerRuntime } from '../../packages/cloud-sandbox/src/lambda/worker/worker-runtime.ts';
import { answerCases } from './lambda/cases.ts';
import { failureCases } from './lambda/failure-cases.ts';
import { startCases } from './lambda/start-cases.ts';
import { lambdaWorld } from './lambda/world.ts';
import { contract } from './support/contract.ts';

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
