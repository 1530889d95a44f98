import { parseArgs } from 'node:util';
import { isRunId } from '@drover/cloud-sandbox/real/account/mark.ts';
import packageManifest from '../../package.json' with { type: 'json' };
import { fixturesOfAws, isForAws } from './fixtures.ts';
import { usualMaximumDollars } from './plan.ts';
import { type Suite, suites } from './suites.ts';

const { version } = packageManifest;

export const help = `npm run account -- --plan [--suite NAME]... [--region R] [--json]
npm run account -- --region R [--profile P] [--suite NAME]... --yes
npm run account -- --sweep --region R [--profile P] [--run ID] --yes

Runs the contract suites with an AWS account as one more world. The account must be a sandbox. docs/first-hour-in-an-account.md describes it.

  --plan            prints what would be made, for how long, the IAM policy and the most that it can cost; asks no account
  --sweep           removes what runs have left, and fails unless it has proven that nothing is left. Not while a run is in progress
  --region R        the region. A run needs one without Auto Scaling groups, instances and EKS clusters
  --profile P       the profile of the AWS CLI. Defaults to the credentials of the environment
  --suite NAME      this suite; may be given several times. Default: all, which is all but rates
  --only TEXT       only the cases whose sentence matches this regular expression
  --compare         afterwards runs the same cases in the sandbox, and lists fields, types and errors that differ; takes some minutes
  --fixtures DIR    writes the answers of the cases that passed into this folder: for AWS ${fixturesOfAws}
  --release DIR     the release that suite api deploys: what npm run release has made. Default: that of this version
  --max-dollars N   the most that the run may cost (default ${usualMaximumDollars})
  --run ID          with --sweep: only what this run has made. Default: what any run has made
  --yes             goes on. Without it, a run shows account, region and cost, and makes nothing; a sweep lists, and removes nothing
  --json            with --plan: the plan as JSON
  --endpoint URL    instead of AWS: a simulated account, whose time passes --speed N times as fast
  --help            this text

${suites.map(({ name, about }) => `  ${name.padEnd(16)}  ${about}`).join('\n')}
`;

/** Which account is asked. */
export interface Place {
  readonly region: string;
  readonly profile: string | undefined;
  readonly endpoint: string | undefined;
  readonly speed: number;
}

interface Chosen {
  readonly suites: readonly Suite[];
  readonly maximumDollars: number;
}

export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | (Chosen & { readonly kind: 'plan'; readonly region: string | undefined; readonly json: boolean })
  | (Chosen &
      Place & {
        readonly kind: 'run';
        readonly only: string | undefined;
        readonly release: string;
        readonly compare: boolean;
        readonly fixtures: string | undefined;
        readonly yes: boolean;
      })
  | (Place & { readonly kind: 'sweep'; readonly run: string | undefined; readonly yes: boolean });

const wrong = (message: string): CommandLine => ({ kind: 'wrong', message });

const flags = {
  plan: { type: 'boolean', default: false },
  sweep: { type: 'boolean', default: false },
  region: { type: 'string' },
  profile: { type: 'string' },
  suite: { type: 'string', multiple: true },
  only: { type: 'string' },
  release: { type: 'string', default: `dist/release/drover-${version}` },
  compare: { type: 'boolean', default: false },
  fixtures: { type: 'string' },
  'max-dollars': { type: 'string' },
  run: { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  endpoint: { type: 'string' },
  speed: { type: 'string', default: '1' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof flags }>>['values'];

/** The flags of a command line, or what is wrong with it. */
export function readCommandLine(words: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({ args: [...words], options: flags });
    if (values.help) return { kind: 'help' };
    const mistake = mistakeIn(values);
    return mistake === undefined ? meaningOf(values) : wrong(mistake);
  } catch (error) {
    if (error instanceof TypeError) return wrong(error.message);
    throw error;
  }
}

const quoted = (text: string): string => JSON.stringify(text);

function mistakeIn(values: Flags): string | undefined {
  const { suite = [], region, run, speed, 'max-dollars': dollars = '0' } = values;
  const unknown = suite.find((name) => name !== 'all' && !suites.some((one) => one.name === name));
  if (unknown === 'kubernetes')
    return 'a run makes no cluster: drover trial GROUP tries one that you have made (docs/trial.md)';
  if (unknown !== undefined)
    return `there is no suite ${quoted(unknown)}: --suite takes ${suites.map(({ name }) => name).join(', ')} or all`;
  if (suite.includes('rates') && suite.some((name) => name === 'all' || name === 'api'))
    return 'rates excludes api, which is in all: the functions of its release call Auto Scaling meanwhile. Run it by itself';
  if (region !== undefined && !/^[a-z]{2}(?:-[a-z]+){1,2}-\d$/.test(region))
    return `--region takes a region such as eu-west-1, not ${quoted(region)}`;
  if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(dollars))
    return `--max-dollars takes an amount such as 10, not ${quoted(dollars)}`;
  if (run !== undefined && !isRunId(run))
    return `--run takes the eight characters of a run, not ${quoted(run)}`;
  if (run !== undefined && !values.sweep) return '--run needs --sweep';
  if (values.plan && values.sweep) return '--plan and --sweep exclude each other';
  if (!/^[1-9]\d{0,2}$/.test(speed))
    return `--speed takes a whole number from 1 to 999, not ${quoted(speed)}`;
  // At another speed, cases would end before AWS has done anything.
  if (speed !== '1' && values.endpoint === undefined) return '--speed needs --endpoint';
  if (values.fixtures !== undefined && values.endpoint !== undefined && isForAws(values.fixtures))
    return `--fixtures ${fixturesOfAws} is for the answers of AWS: with --endpoint, choose another folder`;
  return undefined;
}

function meaningOf(values: Flags): CommandLine {
  const { region, profile, endpoint, only, release, compare, fixtures, run, yes, json } = values;
  const { suite: named = ['all'] } = values;
  const isChosen = ({ name, isOnRequest = false }: Suite): boolean =>
    named.includes(name) || (named.includes('all') && !isOnRequest);
  const chosen = {
    suites: suites.filter(isChosen),
    maximumDollars: Number(values['max-dollars'] ?? usualMaximumDollars),
  };
  if (values.plan) return { kind: 'plan', ...chosen, region, json };
  if (region === undefined) return wrong('say --plan, or the region: --region R');
  const place = { region, profile, endpoint, speed: Number(values.speed) };
  if (values.sweep) return { kind: 'sweep', ...place, run, yes };
  return { kind: 'run', ...chosen, ...place, only, release, compare, fixtures, yes };
}
