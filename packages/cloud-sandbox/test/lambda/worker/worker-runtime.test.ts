import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkerRuntime } from '../../../src/lambda/worker/worker-runtime.ts';
import { workerWiring } from '../support/lambda-world.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'drover-worker-'));
});
afterAll(() => rm(directory, { recursive: true }));

const invocation = (payload: unknown, requestId = 'one') => ({
  requestId,
  payload: JSON.stringify(payload),
  deadline: Date.UTC(2026, 5, 1) + 10_000,
  traceHeader: 'Root=1-1-1;Parent=1;Sampled=0;Lineage=abc:1',
});

/** An environment for a function whose bundle is this code. */
async function start(
  code: string | Uint8Array,
  {
    env = {},
    speed = 1,
    beside = {},
  }: { env?: Record<string, string>; speed?: number; beside?: Record<string, Uint8Array> } = {},
) {
  const artifact = join(directory, `${Math.abs(Buffer.from(code).readInt32LE())}-${code.length}.zip`);
  await writeFile(artifact, zipSync({ 'index.cjs': Buffer.from(code), ...beside }));
  const lines: string[] = [];
  const runtime = createWorkerRuntime({
    environmentFor: () => env,
    time: () => ({ simulatedAt: Date.UTC(2026, 5, 1), realAt: Date.now(), speed }),
    onLine: (_, line) => lines.push(line),
  });
  const environment = await runtime.start({ ...workerWiring, artifact });
  return { environment, lines };
}

test('a bundle answers its event and keeps its memory between invocations', async () => {
  const { environment } = await start('let n = 0; exports.handler = async (event) => ({ event, n: ++n });');
  await environment.invoke(invocation({ a: 1 }));
  expect(await environment.invoke(invocation({ a: 2 }, 'two'))).toBe('{"event":{"a":2},"n":2}');
  environment.kill();
});

test('a bundle sees only its own environment variables', async () => {
  const { environment } = await start('exports.handler = async () => Object.keys(process.env).sort();', {
    env: { DROVER_CLUSTER: 'drover' },
  });
  expect(JSON.parse(await environment.invoke(invocation({})))).toEqual([
    'DROVER_CLUSTER',
    '_X_AMZN_TRACE_ID',
  ]);
  environment.kill();
});

test('a bundle can require the files of its zip and the modules of Node', async () => {
  const code = "exports.handler = async () => [require('./later.cjs').name, require('node:path').sep];";
  const beside = { 'later.cjs': Buffer.from("exports.name = require('node:path').basename('/a/later');") };
  const { environment } = await start(code, { beside });
  expect(JSON.parse(await environment.invoke(invocation({})))).toEqual(['later', '/']);
  environment.kill();
});

test('log lines arrive one by one, before the answer', async () => {
  const { environment, lines } = await start(
    'exports.handler = async () => { process.stdout.write("one\\ntw"); process.stdout.write("o\\n"); return 1; };',
  );
  await environment.invoke(invocation({}));
  expect(lines).toEqual(['one', 'two']);
  environment.kill();
});

test('time in a bundle is simulated time, at the same speed', async () => {
  const { environment } = await start(
    `exports.handler = async (_, context) => {
       const remaining = context.getRemainingTimeInMillis();
       const before = Date.now();
       const until = process.hrtime.bigint() + 20_000_000n;
       while (process.hrtime.bigint() < until);
       return { at: new Date().toISOString().slice(0, 10), passed: Date.now() - before, remaining,
                fixed: new Date(0).toISOString(), kind: new Date() instanceof Date };
     };`,
    { speed: 100 },
  );
  const answer = JSON.parse(await environment.invoke(invocation({}))) as Record<string, unknown>;
  expect(answer).toMatchObject({ at: '2026-06-01', fixed: '1970-01-01T00:00:00.000Z', kind: true });
  expect(answer.passed).toBeGreaterThan(1500);
  environment.kill();
});

test('a handler that throws fails its invocation with its error, and can be invoked again', async () => {
  const { environment } = await start(
    'exports.handler = async ({ fail }) => { if (fail) throw new RangeError("too many"); return "fine"; };',
  );
  await expect(environment.invoke(invocation({ fail: true }))).rejects.toMatchObject({
    errorType: 'RangeError',
    message: 'too many',
  });
  expect(await environment.invoke(invocation({}, 'two'))).toBe('"fine"');
  environment.kill();
});

test('a process that exits fails its pending invocation, and accepts no other', async () => {
  const { environment } = await start('exports.handler = () => { process.exit(3); };');
  await expect(environment.invoke(invocation({}))).rejects.toMatchObject({ errorType: 'Runtime.ExitError' });
  expect(environment.hasEnded()).toBe(true);
});

test('a bundle that does not load, or exports no handler, does not start', async () => {
  await expect(start('throw new TypeError("no configuration");')).rejects.toMatchObject({
    errorType: 'TypeError',
    message: 'no configuration',
  });
  await expect(start('exports.other = 1;')).rejects.toThrow('handler is undefined or not exported');
});

test('a bundle can be killed in an endless loop', async () => {
  const { environment } = await start('exports.handler = () => { for (;;); };');
  const answer = environment.invoke(invocation({}));
  environment.kill();
  await expect(answer).rejects.toMatchObject({ errorType: 'Runtime.ExitError' });
});

test('the error for a missing zip says what to do', async () => {
  const runtime = createWorkerRuntime({
    environmentFor: () => ({}),
    time: () => ({ simulatedAt: 0, realAt: 0, speed: 1 }),
  });
  const missing = { ...workerWiring, artifact: join(directory, 'missing.zip') };
  await expect(runtime.start(missing)).rejects.toThrow('run `npm run package` first');
});

test('the SDK in a bundle signs in simulated time and sends the trace along', async () => {
  const seen: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response
      .setHeader('content-type', 'application/x-amz-json-1.0')
      .end('{"MessageId":"1","MD5OfMessageBody":"9dd4e461268c8034f5c8564e155c67a6"}');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(null)));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = join(directory, 'sender.ts');
  const sdk = dirname(createRequire(import.meta.url).resolve('@aws-sdk/client-sqs/package.json'));
  await writeFile(
    source,
    `import { SQSClient, SendMessageCommand } from '${sdk}';
     const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
     const client = new SQSClient({ credentials: { accessKeyId, secretAccessKey } });
     export const handler = () => client.send(new SendMessageCommand({ QueueUrl: '${endpoint}/123456789012/q', MessageBody: 'x' }));`,
  );
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const code = outputFiles[0]?.contents ?? '';
  const { environment } = await start(code, {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_LAMBDA_FUNCTION_NAME: 'drover-worker',
    },
  });
  await environment.invoke(invocation({}));
  environment.kill();
  server.close();
  expect(seen[0]?.['x-amz-date']).toMatch(/^20260601T/);
  expect(seen[0]?.['x-amzn-trace-id']).toContain('Lineage=abc:1');
});
