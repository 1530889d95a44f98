/** `npm run bench`: figures of this program as ratios and counts, all in one run on one machine. See docs/performance.md. */
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackaged } from '../build/ensure-packaged.ts';
import { requireMeasured, type Suite } from './figure.ts';
import { withFigures } from './page.ts';
import { machine, type Report, table } from './report.ts';
import { apiCalls } from './suites/api-calls.ts';
import { awsCalls } from './suites/aws-calls.ts';
import { capacity } from './suites/capacity.ts';
import { certificates } from './suites/certificates.ts';
import { cliStart } from './suites/cli-start.ts';
import { clusterRead } from './suites/cluster-read.ts';
import { coldStart } from './suites/cold-start.ts';
import { etcd } from './suites/etcd.ts';
import { largeCluster } from './suites/large-cluster.ts';
import { manyNodes } from './suites/many-nodes.ts';
import { memory } from './suites/memory.ts';
import { plans } from './suites/plans.ts';
import { rateLimits } from './suites/rate-limits.ts';
import { rolls } from './suites/rolls.ts';
import { tokenWebhook } from './suites/token-webhook.ts';

const suites: readonly Suite[] = [
  coldStart,
  cliStart,
  memory,
  apiCalls,
  awsCalls,
  largeCluster,
  manyNodes,
  rateLimits,
  etcd,
  certificates,
  capacity,
  plans,
  clusterRead,
  rolls,
  tokenWebhook,
];

const help = `npm run bench -- [--write | [--only NAME]... [--json]]

  --only NAME   this suite and no other; may be given several times
  --json        the figures as JSON on standard output
  --write       the figures of all suites into docs/performance.json and docs/performance.md

${suites.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join('\n')}
`;

function chosenFrom(names: readonly string[] | undefined): readonly Suite[] {
  const unknown = names?.filter((name) => !suites.some((suite) => suite.name === name)) ?? [];
  if (unknown.length > 0) throw new RangeError(`There is no suite ${unknown.join(', ')}.\n\n${help}`);
  return names ? suites.filter(({ name }) => names.includes(name)) : suites;
}

async function run(chosen: readonly Suite[], tell: (text: string) => void): Promise<Report> {
  const report = { date: new Date(Date.now()).toISOString().slice(0, 10), machine: machine() };
  const figures: Record<string, Awaited<ReturnType<Suite['run']>>> = {};
  for (const { name, about, run: measure } of chosen) {
    tell(`\n${name}: ${about}\n`);
    const begun = performance.now();
    figures[name] = await measure();
    requireMeasured(name, figures[name]);
    tell(`${table(figures[name])}\nIn ${Math.round((performance.now() - begun) / 1000)} s.\n`);
  }
  return { ...report, suites: figures };
}

const docs = join(import.meta.dirname, '..', '..', 'docs');
const page = join(docs, 'performance.md');
const jsonOf = (report: Report): string => `${JSON.stringify(report, undefined, 2)}\n`;

function write(report: Report): void {
  const text = withFigures(readFileSync(page, 'utf8'), report);
  writeFileSync(join(docs, 'performance.json'), jsonOf(report));
  writeFileSync(page, text);
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) process.stdout.write(help);
else {
  if (values.write && values.only) throw new RangeError(`--write needs every suite, in one run.\n\n${help}`);
  const chosen = chosenFrom(values.only);
  // Before half an hour of measurements.
  if (values.write) accessSync(page, constants.W_OK);
  await ensurePackaged({ bundles: 'fresh' });
  const report = await run(chosen, (text) => void process.stderr.write(text));
  if (values.json) process.stdout.write(jsonOf(report));
  if (values.write) write(report);
}
