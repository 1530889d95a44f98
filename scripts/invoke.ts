/** `npm run invoke -- FUNCTION EVENT [--endpoint URL]`: one call of a packaged function with the wiring of the template. */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FunctionWiring, Wiring } from '@drover/cloud-sandbox';
import { createWorkerRuntime, FunctionError, functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { loadDeployment } from '../local/deployment/load-deployment.ts';
import { ensurePackaged } from './build/ensure-packaged.ts';
import { type EmbeddedSandbox, startEmbeddedSandbox } from './invoke/embedded-sandbox.ts';
import { eventFor, queueOf } from './invoke/event-for.ts';
import { type InvokeOptions, readOptions, usage } from './invoke/options.ts';

const accountId = '123456789012';
const region = process.env.AWS_REGION ?? 'eu-west-1';

/** The environment for a sandbox in another process, with its credentials: only that sandbox could issue credentials of the role. */
const remoteEnvironment = (wiring: FunctionWiring, endpoint: string): Readonly<Record<string, string>> =>
  functionEnvironment({
    wiring,
    region,
    endpoint,
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: process.env.AWS_SESSION_TOKEN,
    },
  });

async function call(
  wiring: FunctionWiring,
  event: unknown,
  environmentFor: (wiring: FunctionWiring) => Readonly<Record<string, string>>,
): Promise<string> {
  const runtime = createWorkerRuntime({
    environmentFor,
    time: () => ({ simulatedAt: Date.now(), realAt: Date.now(), speed: 1 }),
    onLine: (_, line) => process.stdout.write(`${line}\n`),
  });
  const environment = await runtime.start(wiring);
  const deadline = Date.now() + wiring.timeoutSeconds * 1000;
  const timeout = setTimeout(() => environment.kill(), wiring.timeoutSeconds * 1000);
  try {
    const payload = JSON.stringify(event) ?? 'null';
    return await environment.invoke({ requestId: randomUUID(), payload, deadline, traceHeader: '' });
  } finally {
    clearTimeout(timeout);
    environment.kill();
  }
}

function tellMessages(sandbox: EmbeddedSandbox): void {
  for (const { queueName, bodies } of sandbox.messages())
    process.stderr.write(`in ${queueName}:\n${bodies.map((body) => `  ${body}\n`).join('')}`);
}

async function invoke(options: InvokeOptions, wiring: Wiring): Promise<string> {
  const called = wiring.functions.find(({ name }) => name === options.functionName);
  if (!called) throw new Error(`There is no function ${options.functionName}.\n\n${usage}`);
  const event = eventFor(await readFile(options.eventFile, 'utf8'), queueOf(wiring, called));
  const { endpoint } = options;
  if (endpoint !== undefined) return call(called, event, (one) => remoteEnvironment(one, endpoint));
  const sandbox = await startEmbeddedSandbox(wiring, called.environment.DROVER_CLUSTER ?? '');
  try {
    const answer = await call(called, event, sandbox.environmentFor);
    tellMessages(sandbox);
    return answer;
  } finally {
    await sandbox.close();
  }
}

const options = readOptions(process.argv.slice(2));
if (!options) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  await ensurePackaged({ bundles: 'fresh' });
  const wiring = await loadDeployment({
    accountId,
    region,
    ...(options.endpoint && { sqsEndpoint: options.endpoint.replace(/\/$/, '') }),
  });
  try {
    process.stdout.write(`${await invoke(options, wiring)}\n`);
  } catch (error) {
    const failed = error instanceof FunctionError;
    process.stderr.write(`${failed ? `${error.errorType}: ` : ''}${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
