/** `npm run bench:real`: Drover, kubectl and AWS Node Termination Handler in the same real world. See docs/performance.md. */
import { parseArgs } from 'node:util';
import { kubernetes, kwok, nodeTerminationHandler } from '../../packages/cloud-sandbox/real/programs.ts';
import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';
import { drainWithDrover, killingRuntime, outage } from './drover.ts';
import { drainWithKubectl } from './kubectl.ts';
import { drainWithTerminationHandler } from './node-termination-handler.ts';
import { figuresOf, type RealReport, table, timesOf } from './report.ts';
import { mergeRounds } from './rounds.ts';

interface Plan {
  readonly nodes: number;
  readonly podsPerNode: number;
}

interface Part {
  readonly name: string;
  readonly about: string;
  readonly run: (plan: Plan) => Promise<Partial<RealReport>>;
  /** Default 1. With more the parts take turns, and the report has the median: no moment of the machine decides. */
  readonly rounds?: number;
}

const stuckNodes = 10;
const rounds = 3;

const parts: readonly Part[] = [
  {
    name: 'drover',
    about: 'the packaged functions, all nodes told to terminate at once',
    rounds,
    run: async (plan) =>
      figuresOf(
        await drainWithDrover(plan),
        'seconds',
        'apiRequestsPerNode',
        'awsCallsPerNode',
        'completedWithPodsLeft',
      ),
  },
  {
    name: 'kubectl',
    about: 'ten kubectl drains side by side',
    rounds,
    run: async (plan) => ({
      kubectl: figuresOf(await drainWithKubectl(plan, 10), 'seconds', 'apiRequestsPerNode'),
    }),
  },
  {
    name: 'nth',
    about: 'AWS Node Termination Handler in queue mode, ten workers',
    run: async (plan) => ({
      nth: figuresOf(
        await drainWithTerminationHandler(plan),
        'seconds',
        'apiRequestsPerNode',
        'awsCallsPerNode',
      ),
    }),
  },
  {
    name: 'stuck',
    about: `${stuckNodes} of 40 nodes stuck on a budget, the other 30 without them, and all 40 with none stuck`,
    run: async ({ podsPerNode }) => {
      const control = timesOf(await drainWithDrover({ nodes: 30, podsPerNode }));
      const all = { nodes: 30 + stuckNodes, podsPerNode };
      const others = timesOf(await drainWithDrover({ ...all, stuckNodes }));
      const sameLoad = timesOf(await drainWithDrover(all));
      return { stuck: { others, control, sameLoad } };
    },
  },
  {
    name: 'outage',
    about: 'the API server is away for 30 s in the middle',
    run: async (plan) => ({
      outage: figuresOf(
        await drainWithDrover({ ...plan, meanwhile: outage }),
        'lost',
        'completedWithPodsLeft',
        'seconds',
      ),
    }),
  },
  {
    name: 'killed',
    about: 'functions are killed in mid-pass',
    run: async (plan) => ({
      killed: figuresOf(
        await drainWithDrover({ ...plan, aroundRuntime: killingRuntime }),
        'lost',
        'completedWithPodsLeft',
        'seconds',
      ),
    }),
  },
];

const help = `npm run bench:real -- [--nodes N] [--pods N] [--only NAME]... [--json]

  --nodes N     so many leave at once; default 100
  --pods N      so many on each of them; default 10
  --only NAME   this part and no other; may be given several times
  --json        the figures as JSON on standard output

${parts.map(({ name, about }) => `  ${name.padEnd(10)}${about}`).join('\n')}

Drover and kubectl take turns, three times, and the median is told. It takes 25 minutes, and wants a machine to itself.
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    pods: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const wrong = (message: string): never => {
  process.stderr.write(`${message}\n\n${help}`);
  process.exit(2);
};
const whole = (text: string, flag: string): number =>
  /^[1-9]\d{0,3}$/.test(text)
    ? Number(text)
    : wrong(`${flag} takes a whole number from 1 to 9999, and not ${text}.`);

async function main(): Promise<void> {
  const plan: Plan = { nodes: whole(values.nodes, '--nodes'), podsPerNode: whole(values.pods, '--pods') };
  const unknown = values.only?.filter((name) => !parts.some((part) => part.name === name)) ?? [];
  if (unknown.length > 0) wrong(`There is no part ${unknown.join(', ')}.`);
  const missing = [kubernetes, kwok, nodeTerminationHandler].flatMap((one) => one.missing ?? []);
  if (missing.length > 0) wrong(`What others wrote is not installed: ${missing.join('; ')}`);
  await ensurePackaged({ bundles: 'fresh' });
  process.stderr.write('warming up: the first run reads every program from the disk ...\n');
  await drainWithDrover({ nodes: 5, podsPerNode: 1 });
  const chosen = parts.filter(({ name }) => values.only?.includes(name) ?? true);
  const found = new Map<string, Partial<RealReport>[]>();
  for (let round = 1; round <= rounds; round += 1)
    for (const { name, about, run } of chosen.filter((part) => (part.rounds ?? 1) >= round)) {
      process.stderr.write(`${name}: ${about}${round > 1 ? `, round ${round}` : ''} ...\n`);
      found.set(name, [...(found.get(name) ?? []), await run(plan)]);
    }
  const report: RealReport = Object.assign({}, plan, ...[...found.values()].map(mergeRounds));
  process.stderr.write(`\n${table(report)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
}

if (values.help) process.stdout.write(help);
else await main();
