import { parseArgs } from 'node:util';
import { usualMaximumDollars } from './plan.ts';
import { type Suite, suites } from './suites.ts';

export const help = `npm run account -- --plan [--suite NAME]... [--region R] [--max-dollars N] [--json]

Runs the contract suites with an AWS account as one more world. The account must be a sandbox.

  --plan            prints what would be made, for how long, the IAM policy and the most that it can cost; asks no account
  --suite NAME      this suite; may be given several times. Default: all
  --region R        the region
  --max-dollars N   the most that the run may cost (default ${usualMaximumDollars})
  --json            with --plan: the plan as JSON
  --help            this text

${suites.map(({ name, about }) => `  ${name.padEnd(16)}  ${about}`).join('\n')}
`;

interface Common {
  readonly suites: readonly Suite[];
  readonly region: string | undefined;
  readonly maximumDollars: number;
}

export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | (Common & { readonly kind: 'plan'; readonly json: boolean });

const wrong = (message: string): CommandLine => ({ kind: 'wrong', message });

const flags = {
  plan: { type: 'boolean', default: false },
  suite: { type: 'string', multiple: true },
  region: { type: 'string' },
  'max-dollars': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof flags }>>['values'];

/** The flags of a command line, or what is wrong with it. */
export function readCommandLine(words: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({ args: [...words], options: flags });
    return values.help ? { kind: 'help' } : meaningOf(values);
  } catch (error) {
    if (error instanceof TypeError) return wrong(error.message);
    throw error;
  }
}

function meaningOf(values: Flags): CommandLine {
  const names = values.suite?.includes('all') ? undefined : values.suite;
  const unknown = names?.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    const known = suites.map(({ name }) => name).join(', ');
    return wrong(`there is no suite ${JSON.stringify(unknown)}: --suite takes ${known} or all`);
  }
  const { region, 'max-dollars': dollars = String(usualMaximumDollars) } = values;
  if (region !== undefined && !/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
    return wrong(`--region takes a region such as eu-west-1, not ${JSON.stringify(region)}`);
  if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(dollars))
    return wrong(`--max-dollars takes an amount such as 10, not ${JSON.stringify(dollars)}`);
  if (!values.plan) return wrong('say --plan');
  const chosen = suites.filter(({ name }) => names?.includes(name) ?? true);
  return { kind: 'plan', suites: chosen, region, maximumDollars: Number(dollars), json: values.json };
}
