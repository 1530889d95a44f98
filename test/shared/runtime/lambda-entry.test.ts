import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { CreateHandler, FunctionHost } from '../../../shared/runtime/host.ts';
import { onLambda } from '../../../shared/runtime/lambda-entry.ts';

const contextWith = (remainingMilliseconds: number): Context => ({
  awsRequestId: 'request-1',
  functionName: 'drover-intake',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:drover-intake',
  memoryLimitInMB: '512',
  logGroupName: 'group',
  logStreamName: 'stream',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => remainingMilliseconds,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});

function createHost() {
  const lines: string[] = [];
  const host: FunctionHost = {
    environment: {},
    clock: { now: () => 0, after: () => ({ cancel: () => {} }) },
    randomBytes: (size) => new Uint8Array(size),
    sendHttp: () => Promise.reject(new Error('no API server here')),
    writeLine: (line) => void lines.push(line),
  };
  return { host, lines };
}

describe('the entry of a function', () => {
  it('creates the function once, at the first invocation, and returns its answer', async () => {
    let made = 0;
    const create: CreateHandler<string, string> = () => {
      made += 1;
      return async (event) => `${event}!`;
    };
    const entry = onLambda(create, createHost().host);
    expect(made).toBe(0);
    expect(await entry('a', contextWith(30_000))).toBe('a!');
    expect(await entry('b', contextWith(30_000))).toBe('b!');
    expect(made).toBe(1);
    expect(entry.length).toBe(2);
  });

  it('writes a metric for each call that AWS refuses for its rate', async () => {
    const { host, lines } = createHost();
    const create: CreateHandler<object, string> =
      ({ onThrottled }) =>
      async () => {
        onThrottled?.({ service: 'AutoScaling', operation: 'CompleteLifecycleAction' });
        return 'done';
      };
    await onLambda(create, host)({}, contextWith(30_000));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        CallsThrottled: 1,
        Service: 'AutoScaling',
        Operation: 'CompleteLifecycleAction',
      }),
    ]);
  });

  it('logs one line for a failure and rejects with it', async () => {
    const { host, lines } = createHost();
    const entry = onLambda(() => () => Promise.reject(new Error('broken')), host);
    await expect(entry({}, contextWith(30_000))).rejects.toThrow('broken');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 'error',
        message: 'the invocation failed',
        functionName: 'drover-intake',
      }),
    ]);
  });

  it('rejects with an error that has no secret, no cause and no other property, because Lambda prints all of it', async () => {
    const { host } = createHost();
    const token = 'IQoJb3JpZ2luX2Vj';
    const failure = Object.assign(
      new TypeError(`refused: password=hunter2hunter2 ${token}`, { cause: new Error('Bearer abcdefghijkl') }),
      { response: { authorization: 'abcdefghijkl' } },
    );
    const entry = onLambda(() => () => Promise.reject(failure), {
      ...host,
      environment: { AWS_SESSION_TOKEN: token },
    });
    const error: unknown = await entry({}, contextWith(30_000)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'TypeError', message: 'refused: password=[redacted] [redacted]' });
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).not.toMatch(/hunter2|abcdefghijkl|IQoJ/);
    expect(shown).toContain('lambda-entry.test.ts');
  });

  it('creates the function again after a failure', async () => {
    let tries = 0;
    const create: CreateHandler<unknown, string> = () => {
      tries += 1;
      if (tries === 1) throw new Error('DROVER_CLUSTER is not set');
      return async () => 'made';
    };
    const entry = onLambda(create, createHost().host);
    await expect(entry({}, contextWith(30_000))).rejects.toThrow('DROVER_CLUSTER');
    expect(await entry({}, contextWith(30_000))).toBe('made');
  });

  it("aborts the signal some seconds before the timeout, and returns the function's own answer", async () => {
    const create: CreateHandler<unknown, string> = () => (_, context) =>
      new Promise((resolve) => context.signal?.addEventListener('abort', () => resolve('in time')));
    expect(await onLambda(create, createHost().host)({}, contextWith(4001))).toBe('in time');
  });
});
