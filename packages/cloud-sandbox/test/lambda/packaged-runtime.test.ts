import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackagedRuntime } from '../../src/lambda/packaged-runtime.ts';
import { createVirtualClock } from '../../src/simulation/virtual-clock.ts';
import { workerWiring } from './support/lambda-world.ts';
import { silentHost } from './support/silent-host.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'drover-packaged-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** A runtime, and the wiring of a function whose bundle is this code. */
async function packaged(code: string) {
  const artifact = join(directory, `${code.length}.zip`);
  await writeFile(artifact, zipSync({ 'index.cjs': Buffer.from(code) }));
  const clock = createVirtualClock(1_000_000);
  const sent: string[] = [];
  const runtime = createPackagedRuntime({
    clock,
    hostFor: ({ environment }) => ({
      ...silentHost(clock),
      environment,
      sendHttp: async ({ url }) => {
        sent.push(url);
        return { status: 200, headers: {}, body: 'here' };
      },
    }),
  });
  return { runtime, sent, wiring: { ...workerWiring, artifact, environment: { NAME: 'one' } } };
}

const invocation = { requestId: 'one', payload: '{"n":1}', deadline: 1_010_000, traceHeader: '' };
const caller = `let calls = 0;
exports.create = (host) => async (event, context) => {
  const { body } = await host.sendHttp({ method: 'GET', url: 'https://10.0.0.5:2379/health' });
  const left = context.getRemainingTimeInMillis();
  return { body, event, left, calls: ++calls, name: host.environment.NAME };
};`;

test('a bundle uses the endpoints, the clock and the environment of its host', async () => {
  const { runtime, sent, wiring } = await packaged(caller);
  const environment = await runtime.start(wiring);
  expect(JSON.parse(await environment.invoke(invocation))).toEqual({
    body: 'here',
    event: { n: 1 },
    left: 10_000,
    calls: 1,
    name: 'one',
  });
  expect(sent).toEqual(['https://10.0.0.5:2379/health']);
});

test('each execution environment keeps a memory of its own', async () => {
  const { runtime, wiring } = await packaged(caller);
  const [one, other] = [await runtime.start(wiring), await runtime.start(wiring)];
  await one.invoke(invocation);
  expect(JSON.parse(await one.invoke(invocation))).toMatchObject({ calls: 2 });
  expect(JSON.parse(await other.invoke(invocation))).toMatchObject({ calls: 1 });
});

test.each([
  ['throw new RangeError("no");', { errorType: 'RangeError', message: 'no' }],
  ['exports.handler = 1;', { errorType: 'TypeError', message: 'worker exports no create' }],
])('a bundle that cannot start is a function error: %s', async (code, error) => {
  const { runtime, wiring } = await packaged(code);
  await expect(runtime.start(wiring)).rejects.toMatchObject({ name: 'FunctionError', ...error });
});
