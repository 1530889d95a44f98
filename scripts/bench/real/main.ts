/** `npm run bench:real`: Drover, kubectl and AWS Node Termination Handler in the same real world. See docs/performance.md. */
import { parseArgs } from 'node:util';
import { kubernetes, kwok, nodeTerminationHandler } from '@drover/cloud-sandbox/real/programs.ts';
import { ensurePackaged } from '../../build/ensure-packaged.ts';
import { drainWithDrover, hang, killingRuntime, outage } from './drover.ts';
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
  /** These parts take turns for several rounds, and the report has the median: no moment of the machine decides. */
  readonly takesTurns?: true;
}

const stuckNodes = 10;

const parts: readonly Part[] = [
  {
    name: 'drover',
    about: 'the packaged functions, all nodes terminated at once',
    takesTurns: true,
    run: async (plan) =>
      figuresOf(
        await drainWithDrover(plan),
        'seconds',
        'apiRequestsPerNode',
        'awsCallsPerNode',
        'completedWithPodsLeft',
        'lost',
      ),
  },
  {
    name: 'kubectl',
    about: 'ten kubectl drains side by side',
    takesTurns: true,
    run: async (plan) => ({
      kubectl: figuresOf(await drainWithKubectl(plan, 10), 'seconds', 'apiRequestsPerNode', 'lost'),
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
        'lost',
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
    name: 'hang',
    about: 'the API server hangs for 60 s in the middle',
    run: async (plan) => ({
      hang: figuresOf(
        await drainWithDrover({ ...plan, meanwhile: hang }),
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

const help = `npm run bench:real -- [--nodes N] [--pods N] [--rounds N] [--only NAME]... [--json]

  --nodes N     so many leave at once; default 100
  --pods N      so many on each of them; default 10
  --rounds N    so many times Drover and kubectl take turns; the median is reported; default 3
  --only NAME   this part and no other; may be given several times
  --json        the figures as JSON on standard output

${parts.map(({ name, about }) => `  ${name.padEnd(10)}${about}`).join('\n')}

It takes 25 minutes with 100 nodes, and needs a machine to itself. The part stuck always has 40 nodes.
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    pods: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
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
  const rounds = whole(values.rounds, '--rounds');
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
    for (const { name, about, run } of chosen.filter(({ takesTurns }) => takesTurns || round === 1)) {
      process.stderr.write(`${name}: ${about}${round > 1 ? `, round ${round}` : ''} ...\n`);
      const figures = await run(plan);
      process.stderr.write(`${JSON.stringify(figures)}\n`);
      found.set(name, [...(found.get(name) ?? []), figures]);
    }
  const report: RealReport = Object.assign({}, plan, ...[...found.values()].map(mergeRounds));
  process.stderr.write(`\n${table(report)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
}

if (values.help) process.stdout.write(help);
else await main();
