import { parseArgs } from 'node:util';
import type { RequestLimits } from '@drover/cloud-sandbox/aws';
import { usualEnvironmentFile } from '../../cli/env/environment-file.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import type { SeedStory } from '../story/seeds/step.ts';
import { seedStories } from '../story/seeds/stories.ts';
import { readRequestLimits, requestLimitsForm } from './request-limits-option.ts';

export interface Options {
  readonly speed: number;
  readonly seed: number;
  readonly story: boolean;
  /** The story of a document that Drover came from, instead of the usual one. */
  readonly seedStory?: SeedStory;
  readonly basePort: number;
  readonly json: boolean;
  /** What `npm run release` wrote; absent: what `npm run package` wrote. */
  readonly release?: string;
  /** Undefined if AWS takes calls at any speed, except Route 53. */
  readonly requestLimits?: RequestLimits;
  /** Where `drover env` finds the sandbox. */
  readonly environmentFile: string;
}

/** A parsed command line: a sandbox, the help, or a mistake. */
export type CommandLine =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string };

export const help = `npm start -- [--speed N] [--seed N] [--no-story | --story NAME] [--port N]
             [--json] [--release DIRECTORY] [--environment FILE]
             [--request-limits LIMITS]

Starts a simulated cloud on this machine with Drover deployed in it: an AWS
endpoint, a Kubernetes API, and three nodes in an Auto Scaling group. One of
them is drained; its replacement asks for its certificates and joins, and a
stranger with the same token is refused. Three etcd members form a cluster, and
one is replaced. Then the sandbox stays up for the AWS CLI, kubectl and drover,
until Ctrl-C. On a terminal its last row names keys: open the page, terminate an
instance, interrupt a spot instance, quit.

  --speed N    simulated seconds per real second, from 0.1 to 100 (default 1)
  --seed N     the seed of randomness: the same number gives the same names and
               choices (default 1)
  --no-story   only the sandbox: once the etcd cluster has formed, nothing
               happens until you act
  --story NAME plays one of the documents that Drover came from instead, step by
               step: kubecfn, openshift-iam, openshift-asg, eks-join or
               eks-auth; ends with 1 if a step does not come within its time
  --port N     the AWS endpoint's port; the Kubernetes API, the scale API, the
               dashboard and DNS take the next four, etcd's members the three
               after them (default 4566); a port that is in use is replaced by a
               free one, 0 means any
  --json       one JSON object per line for programs, the first when everything
               is up
  --release DIRECTORY
               deploys what npm run release wrote there, instead of what npm run
               package writes
  --request-limits LIMITS
               how fast AWS lets itself be called; faster calls are refused with
               the error of the service (default: any speed). documented: as AWS
               documents it, with guesses for Auto Scaling and IAM.
               SERVICE=BURST/PER_SECOND sets one bucket: autoscaling=20/5 takes
               20 calls at once and 5 more a second
  --environment FILE
               where drover env finds the sandbox (default
               .drover/environment.json)
  --help       this text

Examples:
  npm start
  npm start -- --speed 5
  npm start -- --story eks-join
  npm start -- --no-story --port 0 --json
  npm start -- --request-limits documented,autoscaling=20/10
`;

const flags = {
  speed: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  story: { type: 'string' },
  'no-story': { type: 'boolean', default: false },
  port: { type: 'string', default: '4566' },
  json: { type: 'boolean', default: false },
  release: { type: 'string' },
  'request-limits': { type: 'string' },
  environment: { type: 'string', default: usualEnvironmentFile },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The sandbox takes seven more ports after the first. */
const highestBasePort = 65_528;

export function readCommandLine(args: readonly string[]): CommandLine {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return wrong(messageOf(error));
  }
  if (values.help) return { kind: 'help' };
  const speed = Number(values.speed);
  const seed = Number(values.seed);
  const basePort = Number(values.port);
  if (!(values.speed.trim() && speed >= 0.1 && speed <= 100))
    return wrong(`--speed takes a number from 0.1 to 100, not ${JSON.stringify(values.speed)}`);
  if (!(values.seed.trim() && Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    return wrong(`--seed takes a whole number from 0 to 4294967295, not ${JSON.stringify(values.seed)}`);
  if (!(values.port.trim() && Number.isInteger(basePort) && basePort >= 0 && basePort <= highestBasePort))
    return wrong(
      `--port takes a whole number from 0 to ${highestBasePort}, not ${JSON.stringify(values.port)}`,
    );
  const { story } = values;
  const seedStory = seedStories.find(({ name }) => name === story);
  if (story !== undefined && seedStory === undefined)
    return wrong(
      `--story takes ${seedStories.map(({ name }) => name).join(', ')}, not ${JSON.stringify(story)}`,
    );
  if (story !== undefined && values['no-story']) return wrong('--story and --no-story exclude each other');
  const limits = values['request-limits'];
  const requestLimits = limits === undefined ? undefined : readRequestLimits(limits);
  if (limits !== undefined && requestLimits === undefined)
    return wrong(`--request-limits takes ${requestLimitsForm}, not ${JSON.stringify(limits)}`);
  return {
    kind: 'run',
    options: {
      speed,
      seed,
      basePort,
      story: !values['no-story'],
      json: values.json,
      environmentFile: values.environment,
      ...(values.release !== undefined && { release: values.release }),
      ...(seedStory && { seedStory }),
      ...(requestLimits && { requestLimits }),
    },
  };
}

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: flags }).values;

const wrong = (message: string): CommandLine => ({ kind: 'wrong', message });
