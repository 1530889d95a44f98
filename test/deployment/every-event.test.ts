import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkerRuntime, type ExecutionEnvironment } from '@drover/cloud-sandbox/lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSample, type SampleName, samples } from '../../events/index.ts';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';
import { type EmbeddedSandbox, startEmbeddedSandbox } from '../../scripts/invoke/embedded-sandbox.ts';
import { eventFor, queueOf } from '../../scripts/invoke/event-for.ts';
import type { LeavingNotice } from '../../shared/passes/leaving-notice.ts';

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

/** How intake handled the one event of an invocation: its log line, without the fields that every line has. */
interface IntakeLine {
  readonly message?: string;
  readonly sent: readonly string[];
  readonly woken?: readonly string[];
  readonly leftAlone: readonly string[];
  readonly parked: number;
}

async function intakeOf(path: string): Promise<IntakeLine> {
  const seen = lines.length;
  expect(await invoke('intake', path)).toEqual({ batchItemFailures: [] });
  const since = lines.slice(seen).map((line) => JSON.parse(line) as IntakeLine);
  const line = since.find(({ message }) => message === 'intake');
  if (!line) throw new Error(`intake logged nothing about ${path}`);
  return line;
}

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

/** The embedded sandbox has a managed group of this name. Its instances have other ids than those of the samples. */
const managedGroup = 'drover-workers';

/** What intake must do with a sample: the index has its kind, and the sample names its hook and its group. */
function expectedOf(name: SampleName): 'sent' | 'woken' | 'left alone' {
  const meaning = readSample(name);
  if (meaning.kind === 'joining')
    return meaning.launch.lifecycleHookName === 'drover-node-joining' ? 'woken' : 'left alone';
  if (meaning.kind !== 'leaving') return 'left alone';
  const isOurWait = ({ hook }: LeavingNotice): boolean =>
    hook?.autoScalingGroupName === managedGroup && hook.lifecycleHookName === 'drover-node-leaving';
  return meaning.notices.some(isOurWait) ? 'sent' : 'left alone';
}

test.each(Object.keys(samples) as SampleName[])(
  '%s is sent, or left alone with a reason, and never parked',
  async (name) => {
    const { sent, woken = [], leftAlone, parked } = await intakeOf(`events/${name}.json`);
    const result = sent.length > 0 ? 'sent' : woken.length > 0 ? 'woken' : 'left alone';
    expect({ result, parked }).toEqual({ result: expectedOf(name), parked: 0 });
    if (result === 'left alone') expect(leftAlone.join()).toMatch(/: \S/);
  },
);

test.each(eventsIn('events/bad'))('%s is parked', async (path) => {
  expect(await intakeOf(path)).toMatchObject({ sent: [], leftAlone: [], parked: 1 });
});

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
