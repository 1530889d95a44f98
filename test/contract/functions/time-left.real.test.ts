import { createRealRuntime } from '@drover/cloud-sandbox/real/lambda/real-runtime.ts';
import { nodeTools } from '@drover/cloud-sandbox/real/programs.ts';
import { lambdaWorld } from '@drover/cloud-sandbox/test/contract/lambda/world.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { timeLeftCases } from './time-left-cases.ts';

contract({
  area: "Drover's functions",
  world: 'aws-lambda-ric 4.0.2',
  missing: nodeTools.missing,
  cases: timeLeftCases,
  open: () =>
    lambdaWorld((parts) => {
      const runtime = createRealRuntime(parts);
      return { runtime, close: runtime.close };
    }),
});
