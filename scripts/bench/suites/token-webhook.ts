import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import {
  askWebhook,
  iamToken,
  mappingParameter,
  putParameter,
  reviewOf,
  roleNamed,
  secretParameter,
  webhookSecret,
} from '../../../local/world/identity-world.ts';
import { type Figure, median, type Suite } from '../figure.ts';

const people = 300;
const rounds = 20;
const mappedRoles = 30;
const goalMilliseconds = 3;

/** A webhook with a mapping of many roles, and the tokens of as many people in the last of them. */
async function loggingIn(): Promise<{ readonly world: DroverWorld; readonly tokens: readonly string[] }> {
  const world = createDroverWorld();
  const roles = Array.from({ length: mappedRoles }, (_, index) => `team-${index}`);
  const mapRoles = roles.map((name) => ({
    rolearn: `arn:aws:iam::123456789012:role/${name}`,
    username: '{{SessionName}}',
    groups: [name],
  }));
  putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
  putParameter(world, mappingParameter, JSON.stringify({ mapRoles }));
  const roleName = roles.at(-1) ?? '';
  roleNamed(world, roleName);
  const tokens: string[] = [];
  for (let index = 0; index < people; index += 1)
    tokens.push(await iamToken(world, { roleName, sessionName: `person-${index}` }));
  return { world, tokens };
}

/** The processor time of one verification: the median of rounds. */
async function cpuOf(world: DroverWorld, tokens: readonly string[]): Promise<number> {
  const perRound = tokens.length / rounds;
  const times: number[] = [];
  for (let start = 0; start < tokens.length; start += perRound) {
    const before = process.cpuUsage();
    for (const token of tokens.slice(start, start + perRound)) {
      const { body } = await askWebhook(world, reviewOf(token));
      if (body.status?.authenticated !== true) throw new Error('a good token was refused');
    }
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000 / perRound);
  }
  return median(times);
}

async function run(): Promise<readonly Figure[]> {
  const { world, tokens } = await loggingIn();
  return [
    {
      name: `a token of an IAM role, with ${mappedRoles} roles in the mapping`,
      value: await cpuOf(world, tokens),
      unit: 'CPU ms',
      goal: goalMilliseconds,
    },
  ];
}

export const tokenWebhook: Suite = {
  name: 'token-webhook',
  about: 'a warm verification, the simulated STS included',
  run,
};
