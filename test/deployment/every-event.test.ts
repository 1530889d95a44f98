import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkerRuntime, type ExecutionEnvironment } from '@drover/cloud-sandbox/lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';
import { type EmbeddedSandbox, startEmbeddedSandbox } from '../../scripts/invoke/embedded-sandbox.ts';
import { eventFor, queueOf } from '../../scripts/invoke/event-for.ts';

const wiring = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
const named = (name: string) => {
  const found = wiring.functions.find((one) => one.name === name);
  if (!found) throw new Error(`no function ${name}`);
  return found;
};

let sandbox: EmbeddedSandbox;
const environments = new Map<string, ExecutionEnvironment>();
const lines: string[] = [];

beforeAll(async () => {
  await ensurePackaged({ bundles: 'fresh' });
  sandbox = await startEmbeddedSandbox(wiring, 'drover');
  const runtime = createWorkerRuntime({
    environmentFor: sandbox.environmentFor,
    time: () => ({ simulatedAt: Date.now(), realAt: Date.now(), speed: 1 }),
    onLine: (_, line) => lines.push(line),
  });
  for (const name of ['intake', 'node-leaving']) environments.set(name, await runtime.start(named(name)));
});

afterAll(async () => {
  for (const environment of environments.values()) environment.kill();
  await sandbox.close();
});

const eventsIn = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((file) => /\.(json|txt)$/.test(file))
    .map((file) => join(directory, file));

async function invoke(name: string, path: string): Promise<unknown> {
  const event = eventFor(readFileSync(path, 'utf8'), queueOf(wiring, named(name)));
  const answer = await environments.get(name)?.invoke({
    requestId: path,
    payload: JSON.stringify(event),
    deadline: Date.now() + 20_000,
    traceHeader: '',
  });
  return JSON.parse(answer ?? 'null');
}

test.each([...eventsIn('events'), ...eventsIn('events/bad')])(
  '%s passes the packaged intake without a batch item failure',
  async (path) => {
    expect(await invoke('intake', path)).toEqual({ batchItemFailures: [] });
  },
);

test('batches pass the packaged bundle that reads their queue', async () => {
  expect(await invoke('intake', 'events/batches/inbox-terminate.json')).toEqual({ batchItemFailures: [] });
  expect(await invoke('node-leaving', 'events/batches/leaving-terminate.json')).toEqual({
    batchItemFailures: [],
  });
});

test('no call was denied, and every line is JSON', () => {
  const levels = lines.map((line) => (JSON.parse(line) as { readonly level?: string }).level);
  expect(levels.length).toBeGreaterThan(50);
  expect(lines.filter((line) => /AccessDenied|not authorized/.test(line))).toEqual([]);
});
