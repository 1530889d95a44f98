import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { failure, result, run } from './run.ts';
import type { LambdaWorld } from './world.ts';

const code = 'exports.handler = async () => 1; exports.api = { handler: async () => 2 }; exports.text = "t";';

/** How functions start or do not, by the developer guide and AWS's own runtime for Node. */
export const startCases: Cases<LambdaWorld> = {
  'a module that throws fails the invocation with its error, which is logged': async (world) => {
    const { answers, lines } = await run(world, 'throw new RangeError("no configuration");');
    expect(answers).toMatchObject([
      { error: { errorType: 'RangeError', errorMessage: 'no configuration', trace: expect.any(Array) } },
    ]);
    expect(lines.join('\n')).toMatch(/\tERROR\tInit Error \t\{"errorType":"RangeError"/);
  },

  'a failed start is retried by the next invocation': async (world) => {
    const bundle = `const fs = require('node:fs'); const file = process.env.MARK;
      if (!fs.existsSync(file)) { fs.writeFileSync(file, ''); throw new Error('not yet'); }
      exports.handler = async () => fs.rmSync(file);`;
    const environment = { MARK: `/tmp/drover-mark-${process.pid}-${performance.now()}` };
    const { answers } = await run(world, { code: bundle, environment }, [1, 2]);
    expect(answers).toMatchObject([{ error: { errorMessage: 'not yet' } }, { result: null }]);
  },

  'invalid JavaScript fails as Runtime.UserCodeSyntaxError': async (world) => {
    expect(await failure(world, 'exports.handler = async () => { return 1;')).toMatchObject({
      errorType: 'Runtime.UserCodeSyntaxError',
      errorMessage: expect.stringMatching(/^SyntaxError: /),
    });
  },

  'a module that requires a missing module fails as Runtime.ImportModuleError': async (world) => {
    expect(await failure(world, "require('not-installed'); exports.handler = () => 1;")).toMatchObject({
      errorType: 'Runtime.ImportModuleError',
      errorMessage: expect.stringMatching(/^Error: Cannot find module 'not-installed'/),
    });
  },

  'a handler in a missing file fails as Runtime.ImportModuleError': async (world) => {
    expect(await failure(world, { code, handler: 'absent.handler' })).toMatchObject({
      errorType: 'Runtime.ImportModuleError',
      errorMessage: expect.stringMatching(/^Error: Cannot find module 'absent'/),
    });
  },

  'a handler that is not an exported function fails as Runtime.HandlerNotFound': async (world) => {
    const found = (handler: string) => failure(world, { code, handler });
    const errorType = 'Runtime.HandlerNotFound';
    expect(await found('index.absent')).toMatchObject({
      errorType,
      errorMessage: 'index.absent is undefined or not exported',
    });
    expect(await found('index.text')).toMatchObject({
      errorType,
      errorMessage: 'index.text is not a function',
    });
  },

  'a handler name without a dot, or with a path out of the folder, fails as Runtime.MalformedHandlerName':
    async (world) => {
      const errorType = 'Runtime.MalformedHandlerName';
      expect(await failure(world, { code, handler: 'index' })).toMatchObject({ errorType });
      expect(await failure(world, { code, handler: '../index.handler' })).toMatchObject({ errorType });
    },

  'a handler can be nested in an object, and in a folder with other files': async (world) => {
    expect(await result(world, { code, handler: 'index.api.handler' })).toBe(2);
    const files = {
      'src/index.cjs': "exports.handler = async () => require('./beside.cjs').n;",
      'src/beside.cjs': 'exports.n = 3;',
    };
    expect(await result(world, { code: files, handler: 'src/index.handler' })).toBe(3);
  },

  'a handler with a third parameter, for a callback, is refused': async (world) => {
    const callback = 'exports.handler = (event, context, callback) => callback(null, 1);';
    expect(await failure(world, callback)).toMatchObject({
      errorType: 'Runtime.CallbackHandlerDeprecated',
      errorMessage: expect.stringContaining('callback-based function handlers'),
    });
  },

  'a process that exits while its module loads fails the invocation': async (world) => {
    expect(await failure(world, 'process.exit(4);')).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/Runtime exited with error: exit status 4$/),
    });
  },
};
