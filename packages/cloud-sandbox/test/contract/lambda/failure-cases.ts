import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { failure, run } from './run.ts';
import type { LambdaWorld } from './world.ts';

/** How invocations fail, by the developer guide and AWS's own runtime for Node. */
export const failureCases: Cases<LambdaWorld> = {
  'an error is returned with its name, its message and its stack': async (world) => {
    const code = `class TooMany extends Error { name = 'TooManyNodes'; code = 'E1'; }
      exports.handler = async () => { throw new TooMany('61 nodes'); };`;
    const { trace = [], ...error } = await failure(world, code);
    expect(error).toEqual({ errorType: 'TooManyNodes', errorMessage: '61 nodes' });
    expect(trace[0]).toBe('TooManyNodes: 61 nodes');
    expect(trace[1]).toMatch(/^ {4}at .*handler .*index\.cjs:2:\d+\)$/);
  },

  'a thrown value that is not an Error is returned with its type': async (world) => {
    const thrown = async (what: string) =>
      failure(world, `exports.handler = async () => { throw ${what}; };`);
    expect(await thrown("'a text'")).toEqual({ errorType: 'string', errorMessage: 'a text' });
    expect(await thrown('undefined')).toEqual({ errorType: 'undefined', errorMessage: 'undefined' });
    expect(await thrown('{ a: 1 }')).toEqual({ errorType: 'object', errorMessage: '[object Object]' });
  },

  'a handler that throws synchronously fails like one that rejects': async (world) => {
    const code = "exports.handler = () => { throw new RangeError('at once'); };";
    expect(await failure(world, code)).toMatchObject({ errorType: 'RangeError', errorMessage: 'at once' });
  },

  'an error is logged with all its fields': async (world) => {
    const code = `exports.handler = async () => {
      throw Object.assign(new TypeError('no'), { code: 'E2', more: { n: 1 } });
    };`;
    const [line = '', ...others] = (await run(world, code)).lines;
    expect(others).toEqual([]);
    const [, , level, what, json = ''] = line.split('\t');
    expect([level, what]).toEqual(['ERROR', 'Invoke Error ']);
    const { stack, ...logged } = JSON.parse(json) as { readonly stack: readonly string[] };
    expect(logged).toEqual({ errorType: 'TypeError', errorMessage: 'no', code: 'E2', more: { n: 1 } });
    expect(stack[0]).toBe('TypeError: no');
  },

  'an unhandled rejection ends the process, and the next invocation is a cold start': async (world) => {
    const code = `let n = 0;
      exports.handler = ({ reject }) => {
        n += 1;
        if (!reject) return n;
        Promise.reject(new Error('without a handler'));
        return new Promise(() => {});
      };`;
    const { answers, lines } = await run(world, code, [{}, { reject: true }, {}]);
    expect(answers).toMatchObject([{ result: 1 }, { error: exitStatus(1) }, { result: 1 }]);
    expect(lines.join('\n')).toContain('Error: without a handler\n    at ');
  },

  'an error outside of the handler ends the process': async (world) => {
    const code = `exports.handler = () => {
      setTimeout(() => { throw new Error('in a timer'); }, 1);
      return new Promise(() => {});
    };`;
    expect(await failure(world, code)).toEqual(exitStatus(1));
  },

  'a process that exits fails its invocation with its status': async (world) => {
    expect(await failure(world, 'exports.handler = () => process.exit(3);')).toEqual(exitStatus(3));
    expect(await failure(world, 'exports.handler = () => process.exit(0);')).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(
        /^RequestId: \S+ Error: Runtime exited without providing a reason$/,
      ),
    });
  },

  'an answer of more than 6 MB fails, and the function keeps its memory': async (world) => {
    const code = `let n = 0;
      exports.handler = async ({ bytes }) => { n += 1; return bytes ? 'x'.repeat(bytes - 2) : n; };`;
    const bytes = 6 * 1024 * 1024;
    const { answers } = await run(world, code, [{ bytes }, { bytes: bytes + 101 }, {}]);
    expect(answers).toMatchObject([
      { result: expect.any(String) },
      {
        error: {
          errorType: 'Function.ResponseSizeTooLarge',
          errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
        },
      },
      { result: 3 },
    ]);
  },

  'a function is stopped at its timeout, and the next invocation is a cold start': async (world) => {
    const code = `let n = 0;
      exports.handler = ({ hang }) => { n += 1; return hang ? new Promise(() => setInterval(() => {}, 9)) : n; };`;
    const { answers } = await run(world, { code, timeoutSeconds: 1 }, [{}, { hang: true }, {}]);
    expect(answers).toEqual([
      { result: 1 },
      {
        error: {
          errorType: 'Sandbox.Timedout',
          errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Task timed out after 1\.00 seconds$/),
        },
      },
      { result: 1 },
    ]);
  },

  'a handler in an endless loop is stopped at its timeout': async (world) => {
    const code = 'exports.handler = () => { for (;;); };';
    expect(await failure(world, { code, timeoutSeconds: 1 })).toMatchObject({
      errorType: 'Sandbox.Timedout',
    });
  },
};

const exitStatus = (status: number) => ({
  errorType: 'Runtime.ExitError',
  errorMessage: expect.stringMatching(
    new RegExp(`^RequestId: \\S+ Error: Runtime exited with error: exit status ${status}$`),
  ) as string,
});
