import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionWiring } from '@drover/cloud-sandbox';
import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { type Figure, median, type Suite } from '../figure.ts';

const rounds = 21;
const children = join(import.meta.dirname, '..', 'children');
const ratioGoal = 1.7;
const bytesGoals: Readonly<Record<string, number>> = { 'node-leaving': 600_000, 'etcd-membership': 700_000 };

interface Candidate {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** From the start of a Node process to its handler being there, in milliseconds. */
function start({ arguments: parameters, environment }: Candidate): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...parameters], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(performance.now() - begun));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`${parameters.join(' ')} ended with ${code}`));
    });
  });
}

/** Interleaved, so that a machine that is busy for a while is busy for all of them. */
async function startAll(candidates: readonly Candidate[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map(candidates.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const candidate of candidates) times.get(candidate.name)?.push(await start(candidate));
  return new Map([...times].map(([name, values]) => [name, median(values)]));
}

const environmentOf = (wiring: FunctionWiring): Readonly<Record<string, string>> =>
  functionEnvironment({
    wiring,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'benchmark', secretAccessKey: 'benchmark' },
  });

const bundleOf = (name: string): string => join('dist', 'functions', name, 'index.cjs');

function candidatesOf(functions: readonly FunctionWiring[]): readonly Candidate[] {
  const load = join(children, 'load.cjs');
  const trivial = join(children, 'trivial.cjs');
  return [
    { name: 'trivial', arguments: [load, trivial], environment: {} },
    ...functions.map((wiring) => ({
      name: wiring.name,
      arguments: [load, join(process.cwd(), bundleOf(wiring.name)), 'compose'],
      environment: environmentOf(wiring),
    })),
  ];
}

async function sizeOf(name: string): Promise<Figure> {
  const { size } = await stat(bundleOf(name));
  const goal = bytesGoals[name] === undefined ? {} : { goal: bytesGoals[name] / 1000 };
  return { name: `bundle of ${name}`, value: size / 1000, unit: 'KB', ...goal };
}

async function run(): Promise<readonly Figure[]> {
  const { functions } = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
  const times = await startAll(candidatesOf(functions));
  const timeOf = (name: string): number => times.get(name) ?? Number.NaN;
  const trivial = timeOf('trivial');
  return [
    { name: 'trivial handler', value: trivial, unit: 'ms' },
    ...functions.flatMap(({ name }) => [
      { name, value: timeOf(name), unit: 'ms' },
      { name: `${name} against trivial`, value: timeOf(name) / trivial, unit: 'x', goal: ratioGoal },
    ]),
    ...(await Promise.all(functions.map(({ name }) => sizeOf(name)))),
  ];
}

export const coldStart: Suite = {
  name: 'cold-start',
  about: `a fresh process to the handler made, medians of ${rounds} interleaved; sizes of the bundles`,
  run,
};
