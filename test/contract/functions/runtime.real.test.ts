import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FunctionWiring } from '@drover/cloud-sandbox';
import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import type { RuntimeCall } from '@drover/cloud-sandbox/real/lambda/runtime-api.ts';
import { type RuntimeProcess, startRuntime } from '@drover/cloud-sandbox/real/lambda/runtime-process.ts';
import { nodeTools } from '@drover/cloud-sandbox/real/programs.ts';
import type { Claim } from '@drover/cloud-sandbox/truth/claim.ts';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { ensurePackaged } from '../../../scripts/build/ensure-packaged.ts';

const region = 'eu-west-1';
const { functions } = await loadDeployment({ accountId: '123456789012', region });
const directory = mkdtempSync(join(tmpdir(), 'drover-runtime-'));
afterAll(() => rmSync(directory, { recursive: true }));
beforeAll(() => ensurePackaged({ bundles: 'fresh' }), 60_000);

const claimOf = (behaviour: string): { claim: Claim } => ({
  claim: { area: "Drover's functions", world: 'aws-lambda-ric 4.0.2', behaviour },
});

/** A function of the deployment with other code. */
function functionOf(code: string): FunctionWiring {
  const [first] = functions;
  if (!first) throw new Error('the template has no function');
  const artifact = join(directory, `${code.length}.zip`);
  writeFileSync(artifact, zipSync({ 'index.cjs': Buffer.from(code) }));
  return { ...first, artifact, environment: {} };
}

/** Starts it, and waits until it asks for its first invocation. */
async function start(wiring: FunctionWiring) {
  const calls: RuntimeCall[] = [];
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };
  let askedAt = Number.NaN;
  const runtime: RuntimeProcess = await startRuntime({
    wiring,
    environment: functionEnvironment({ wiring, region, credentials }),
    onLine: () => {},
    onCall: (call) => {
      if (calls.length === 0) askedAt = performance.now();
      calls.push(call);
    },
  });
  await expect.poll(() => calls.length, { interval: 2 }).toBe(1);
  const stop = async (): Promise<void> => {
    runtime.kill();
    await runtime.ended;
  };
  return { runtime, calls, stop, startMilliseconds: askedAt - runtime.spawnedAt };
}

const trivial = 'exports.handler = async () => {};';
const rounds = 7;
const mostRounds = 40;
/**
 * Of one that does nothing. The bench's goal is 1.8 times the smallest function that makes one call through the SDK, which takes 1.7
 * times as long as one that does nothing: 3.1, and room for a machine that is busy.
 */
const ratioBound = 4;
describe.skipIf(!nodeTools.isInstalled)('aws-lambda-ric 4.0.2', () => {
  const late = 'an answer that comes when its time is up is refused, and the next invocation is asked for';
  test(late, { meta: claimOf(late) }, async () => {
    const code = 'exports.handler = () => new Promise((resume) => setTimeout(resume, 50));';
    const { runtime, calls, stop } = await start(functionOf(code));
    runtime.hand({ requestId: 'one', payload: '{}', deadline: Date.now() + 10, traceHeader: '' });
    runtime.forget('one');
    await expect.poll(() => calls.length).toBe(3);
    runtime.hand({ requestId: 'two', payload: '{}', deadline: Date.now() + 1000, traceHeader: '' });
    await expect.poll(() => calls.length).toBe(5);
    await stop();
    expect(calls).toMatchObject([
      { kind: 'next' },
      { kind: 'response', requestId: 'one', status: 400 },
      { kind: 'next' },
      { kind: 'response', requestId: 'two', body: 'null', status: 202 },
      { kind: 'next' },
    ]);
  });

  const cold = 'every function of Drover starts cold in little more time than one that does nothing';
  test(cold, { meta: claimOf(cold) }, async ({ annotate }) => {
    const candidates = [{ ...functionOf(trivial), name: 'trivial' }, ...functions];
    const quickest = new Map(candidates.map(({ name }) => [name, Number.POSITIVE_INFINITY]));
    const ratioOf = (name: string): number => (quickest.get(name) ?? 0) / (quickest.get('trivial') ?? 0);
    const isMet = () => candidates.every(({ name }) => ratioOf(name) < ratioBound);
    // Interleaved, so that a machine that is busy for a while is busy for all of them. Others work on it at the same time: only the
    // quickest of each counts, and more rounds follow where a function may only have had bad luck.
    for (let round = 0; round < (isMet() ? rounds : mostRounds); round += 1)
      for (const wiring of candidates) {
        const { stop, startMilliseconds } = await start(wiring);
        await stop();
        quickest.set(wiring.name, Math.min(quickest.get(wiring.name) ?? 0, startMilliseconds));
      }
    for (const [name, value] of quickest) await annotate(`${name}: ${value.toFixed(1)} ms`);
    for (const { name } of candidates) expect(ratioOf(name), name).toBeLessThan(ratioBound);
  });
});
