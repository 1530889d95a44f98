import { createRealRuntime } from '../../../real/lambda/real-runtime.ts';
import { nodeTools } from '../../../real/programs.ts';
import { contract } from '../../../truth/contract.ts';
import { answerCases } from './cases.ts';
import { failureCases } from './failure-cases.ts';
import { startCases } from './start-cases.ts';
import { lambdaWorld } from './world.ts';

/** AWS does not publish its emulator of the platform in a package registry, so the claims about time follow its documentation. */
const platform = 'the platform ends it, not the runtime';

contract({
  area: 'Lambda',
  world: 'aws-lambda-ric 4.0.2',
  missing: nodeTools.missing,
  cases: { ...answerCases, ...failureCases, ...startCases },
  notApplicable: new Map([
    ['a function is stopped at its timeout, and the next invocation is a cold start', platform],
    ['a handler in an endless loop is stopped at its timeout', platform],
  ]),
  open: () =>
    lambdaWorld((parts) => {
      const runtime = createRealRuntime(parts);
      return { runtime, close: runtime.close };
    }),
});
