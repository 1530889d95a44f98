import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { failure, result, run } from './run.ts';
import type { LambdaWorld } from './world.ts';

/** What a function is given and what becomes of its answer, by the developer guide and AWS's own runtime for Node. */
export const answerCases: Cases<LambdaWorld> = {
  'an answer is serialized as JSON, with dates as strings and undefined as null': async (world) => {
    const code = `exports.handler = async ({ what }) =>
      ({ date: new Date(0), text: 'ä\\u2028\\ud800', left: undefined, nothing: null, what });`;
    expect(await result(world, code, { what: [1.5, '\u0000', true] })).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      text: 'ä\u2028\ud800',
      nothing: null,
      what: [1.5, '\u0000', true],
    });
    expect(await result(world, 'exports.handler = async () => {};')).toBeNull();
  },

  'a handler can return without a promise': async (world) => {
    expect(await result(world, 'exports.handler = (event) => event.n + 1;', { n: 1 })).toBe(2);
  },

  'an answer that JSON cannot express fails as Runtime.JSONStringifyError': async (world) => {
    const error = {
      errorType: 'Runtime.JSONStringifyError',
      errorMessage: 'Unable to stringify response body',
    };
    expect(await failure(world, 'exports.handler = async () => 1n;')).toMatchObject(error);
    const loop = 'exports.handler = async () => { const a = {}; a.a = a; return a; };';
    expect(await failure(world, loop)).toMatchObject(error);
  },

  'an answer that is a function fails': async (world) => {
    expect(await failure(world, 'exports.handler = async () => () => 1;')).toMatchObject({
      errorType: 'TypeError',
    });
  },

  'a function keeps its memory between invocations, also after a failure': async (world) => {
    const code = `let n = 0;
      exports.handler = async ({ fail }) => { n += 1; if (fail) throw new Error('no'); return n; };`;
    const { answers } = await run(world, code, [{}, { fail: true }, {}]);
    expect(answers).toMatchObject([{ result: 1 }, { error: { errorMessage: 'no' } }, { result: 3 }]);
  },

  'the context has the request id, the function, its memory and its log stream': async (world) => {
    const code = `exports.handler = async (_, { getRemainingTimeInMillis, ...context }) => context;`;
    const { answers } = await run(world, code, [{}, {}]);
    const context = {
      awsRequestId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-/),
      invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:drover-worker',
      functionName: 'drover-worker',
      functionVersion: '$LATEST',
      memoryLimitInMB: '512',
      logGroupName: '/aws/lambda/drover-worker',
      logStreamName: expect.stringContaining('[$LATEST]'),
    };
    expect(answers).toMatchObject([{ result: context }, { result: context }]);
    const ids = answers.map((answer) => 'result' in answer && (answer.result as typeof context).awsRequestId);
    expect(new Set(ids).size).toBe(2);
  },

  'the remaining time starts at the timeout, and decreases': async (world) => {
    const code = `exports.handler = async (_, context) => {
      const first = context.getRemainingTimeInMillis();
      await new Promise((resume) => setTimeout(resume, 60));
      return [first, context.getRemainingTimeInMillis()];
    };`;
    const [first = 0, then = 0] = (await result(world, { code, timeoutSeconds: 5 })) as readonly number[];
    expect(first).toBeGreaterThan(4500);
    expect(first).toBeLessThanOrEqual(5000);
    expect(first - then).toBeGreaterThanOrEqual(50);
  },

  'the environment has only the variables of Lambda and of the function': async (world) => {
    const code = 'exports.handler = async () => process.env;';
    const seen = (await result(world, { code, environment: { OWN: 'yes' } })) as Record<string, string>;
    const { AWS_LAMBDA_RUNTIME_API: _, ...environment } = seen;
    expect(environment).toEqual({
      OWN: 'yes',
      _HANDLER: 'index.handler',
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[\da-f]{8}-[\da-f]{24};Parent=[\da-f]{16};Sampled=0/),
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_FUNCTION_NAME: 'drover-worker',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/drover-worker',
      AWS_LAMBDA_LOG_STREAM_NAME: expect.any(String),
      AWS_REGION: 'eu-west-1',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
      LAMBDA_RUNTIME_DIR: expect.any(String),
      LAMBDA_TASK_ROOT: expect.any(String),
      TZ: ':UTC',
    });
  },

  'the trace header differs in each invocation': async (world) => {
    const { answers } = await run(
      world,
      'exports.handler = async () => process.env._X_AMZN_TRACE_ID;',
      [1, 2],
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(2);
  },

  'output of a function to stdout is logged unchanged': async (world) => {
    const code = `exports.handler = async () => { process.stdout.write('{"level":"info"}\\n'); };`;
    expect((await run(world, code)).lines).toEqual(['{"level":"info"}']);
  },

  'a console line has the time, the request id and the level, and stays one line': async (world) => {
    const code = `console.log('early');
      exports.handler = async (_, { awsRequestId }) => {
        console.log('a %s', 'b', { c: 1 });
        console.error('two\\nlines');
        console.warn(new Error('w').message);
        console.debug(1);
        return awsRequestId;
      };`;
    const { answers, lines } = await run(world, code);
    const id = 'result' in (answers[0] ?? {}) ? (answers[0] as { result: string }).result : '';
    expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z\t/, ''))).toEqual([
      '-\tINFO\tearly',
      `${id}\tINFO\ta b { c: 1 }`,
      `${id}\tERROR\ttwo\rlines`,
      `${id}\tWARN\tw`,
      `${id}\tDEBUG\t1`,
    ]);
  },
};
