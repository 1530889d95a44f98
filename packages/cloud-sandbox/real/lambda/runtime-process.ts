import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FunctionWiring } from '../../src/cloud/wiring.ts';
import { nodeTools } from '../programs.ts';
import { type RuntimeApi, type RuntimeCall, serveRuntimeApi } from './runtime-api.ts';
import { unpack } from './unpack.ts';

/** AWS's runtime with a function in it, in a process of its own. */
export interface RuntimeProcess extends Pick<RuntimeApi, 'hand' | 'forget'> {
  /** Resolves with its exit code once it has ended and all that it wrote is read. */
  readonly ended: Promise<number>;
  /** By `performance.now()`. */
  readonly spawnedAt: number;
  readonly kill: () => void;
}

export interface RuntimeProcessOptions {
  readonly wiring: FunctionWiring;
  readonly environment: Readonly<Record<string, string>>;
  readonly onCall: (call: RuntimeCall) => void;
  readonly onLine: (line: string) => void;
}

const runtimeFile = join(nodeTools.directory, 'node_modules', 'aws-lambda-ric', 'index.mjs');

export async function startRuntime(options: RuntimeProcessOptions): Promise<RuntimeProcess> {
  const { wiring, environment, onCall, onLine } = options;
  const taskRoot = await unpack(wiring.artifact);
  const api = await serveRuntimeApi({ functionArn: wiring.functionArn, onCall });
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [runtimeFile], {
    cwd: taskRoot,
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: api.address, LAMBDA_TASK_ROOT: taskRoot },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) readLines(stream, onLine);
  const closed = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
  });
  const ended = closed.then(async (code) => {
    api.close();
    await rm(taskRoot, { recursive: true });
    return code;
  });
  const { hand, forget } = api;
  return { ended, spawnedAt, hand, forget, kill: () => void child.kill('SIGKILL') };
}

/** Not by readline: for that a carriage return ends a line, and the runtime writes one inside of what is a single event. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let open = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${open}${chunk}`.split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
