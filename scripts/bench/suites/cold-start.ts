import { spawn } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { FunctionWiring } from '@drover/cloud-sandbox';
import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { readBatchSample } from '../../../events/index.ts';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { bundleFunction } from '../../build/bundle.ts';
import { type Figure, median, type Suite } from '../figure.ts';
import { refuseEverything } from '../refusing-aws.ts';

const rounds = 21;
const children = join(import.meta.dirname, '..', 'children');
const ratioGoal = 1.8;
const bundleGoalKilobytes = 700;

/** The events whose first call to AWS is measured too, by function. */
const firstEvents: Readonly<Record<string, unknown>> = {
  intake: readBatchSample('inbox-terminate'),
  'node-leaving': readBatchSample('leaving-terminate'),
  sweep: {},
  'bootstrap-credential': {},
  'certificate-requests': {},
};

interface Candidate {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** From the start of a Node process to its word that it is done, in milliseconds. */
function start({ arguments: parameters, environment }: Candidate): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...parameters], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    (child.stdio[3] as Readable).once('data', () => resolve(performance.now() - begun));
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

const environmentOf = (wiring: FunctionWiring, endpoint: string): Readonly<Record<string, string>> => ({
  ...functionEnvironment({
    wiring,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'benchmark', secretAccessKey: 'benchmark' },
  }),
  AWS_ENDPOINT_URL: endpoint,
});

const bundleOf = (name: string): string => resolve('dist', 'functions', name, 'index.cjs');

/** The smallest function that makes one call through the SDK, bundled as Drover's functions are. */
async function buildOneCall(): Promise<string> {
  const path = resolve('dist', 'bench', 'one-call.cjs');
  const { code } = await bundleFunction(join(children, 'one-call.ts'));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code);
  return path;
}

const eventOf = (name: string): string => `first event of ${name}`;

/** A function loaded and composed, and one that answers its first event. */
function candidatesOf(
  { name, path, event }: { readonly name: string; readonly path: string; readonly event: unknown },
  environment: Candidate['environment'],
): readonly Candidate[] {
  const load = join(children, 'load.cjs');
  const composed = { name, arguments: [load, path, 'compose'], environment };
  if (event === undefined) return [composed];
  const first = [load, path, 'event', JSON.stringify(event)];
  return [composed, { name: eventOf(name), arguments: first, environment }];
}

async function measure(functions: readonly FunctionWiring[]): Promise<ReadonlyMap<string, number>> {
  const aws = await refuseEverything();
  const oneCall = { name: 'one call', path: await buildOneCall(), event: {} };
  const trivial = { name: 'trivial', path: join(children, 'trivial.cjs'), event: undefined };
  const [first] = functions;
  if (!first) throw new Error('there is no function');
  try {
    return await startAll([
      ...candidatesOf(trivial, {}),
      ...candidatesOf(oneCall, environmentOf(first, aws.url)),
      ...functions.flatMap((wiring) => {
        const { name } = wiring;
        const about = { name, path: bundleOf(name), event: firstEvents[name] };
        return candidatesOf(about, environmentOf(wiring, aws.url));
      }),
    ]);
  } finally {
    aws.close();
  }
}

async function sizeOf(name: string): Promise<Figure> {
  const { size } = await stat(bundleOf(name));
  return { name: `bundle of ${name}`, value: size / 1000, unit: 'KB', goal: bundleGoalKilobytes };
}

async function run(): Promise<readonly Figure[]> {
  const { functions } = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
  const times = await measure(functions);
  const timeOf = (name: string): number => times.get(name) ?? Number.NaN;
  const milliseconds = (name: string): Figure => ({ name, value: timeOf(name), unit: 'ms' });
  const names = functions.map(({ name }) => name);
  return [
    { ...milliseconds('trivial'), name: 'trivial handler' },
    { ...milliseconds('one call'), name: 'one call through the SDK' },
    ...names.flatMap((name) => [
      milliseconds(name),
      {
        name: `${name} against one call`,
        value: timeOf(name) / timeOf('one call'),
        unit: 'x',
        goal: ratioGoal,
      },
    ]),
    ...['one call', ...Object.keys(firstEvents)].map((name) => milliseconds(eventOf(name))),
    ...(await Promise.all(names.map(sizeOf))),
  ];
}

export const coldStart: Suite = {
  name: 'cold-start',
  about: `a fresh process to the handler made, and to the end of the first event with an AWS on loopback that refuses its calls, medians of ${rounds} interleaved; sizes of the bundles`,
  run,
};
