import { AwsError } from '@drover/cloud-sandbox/aws';
import { createDroverWorld } from '../../local/world/drover-world.ts';
import {
  askWebhook,
  iamToken,
  launchWithProfile,
  mappingParameter,
  putParameter,
  reviewOf,
  roleNamed,
  secretParameter,
  webhookSecret,
} from '../../local/world/identity-world.ts';

export interface LogInPlan {
  readonly nodes: number;
  readonly apiServers: number;
}

/** What the log-ins of nodes cost, each concurrent review in an environment of its own. */
export interface LogInCost {
  /** All reviews come at once, in new environments. */
  readonly burst: { readonly ec2PerEnvironment: number; readonly admitted: number };
  /** Each API server reviews each node every two minutes, spread evenly, for ten minutes. */
  readonly steady: { readonly ec2PerSecond: number; readonly refused: number };
  /** The same for nine minutes in which EC2, IAM and Parameter Store refuse all calls of the function. */
  readonly throttled: { readonly ec2PerSecond: number; readonly refused: number };
}

const mapping = `mapRoles:
  - rolearn: arn:aws:iam::123456789012:role/node
    username: system:node:{{EC2PrivateDNSName}}
    groups: [system:nodes]
`;
const cacheSeconds = 120;
const tokenSeconds = 600;
const refusedServices = ['ec2', 'iam', 'ssm'];

export async function measureLogIns({ nodes, apiServers }: LogInPlan): Promise<LogInCost> {
  let ec2Calls = 0;
  let isThrottled = false;
  const world = createDroverWorld({
    weather: {
      latencyMilliseconds: ({ caller }) => (caller === 'token-webhook' ? 50 : 0),
      onCall: ({ caller, what }) => {
        if (caller === 'token-webhook' && what === 'ec2 DescribeInstances') ec2Calls += 1;
      },
      strike: ({ caller, what }) =>
        isThrottled && caller === 'token-webhook' && refusedServices.includes(what.split(' ')[0] ?? '')
          ? { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) }
          : undefined,
    },
  });
  putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
  putParameter(world, mappingParameter, mapping);
  roleNamed(world, 'node');
  const ids = Array.from({ length: nodes }, () => launchWithProfile(world, 'node').id);
  await world.timeline.pass(60);
  const makeTokens = () =>
    Promise.all(ids.map((sessionName) => iamToken(world, { roleName: 'node', sessionName })));
  const outcomes: boolean[] = [];
  const review = async (token: string): Promise<void> => {
    const { body } = await askWebhook(world, reviewOf(token));
    outcomes.push(body.status?.authenticated === true);
  };
  const reviews = nodes * apiServers;
  const spread = async (
    seconds: number,
  ): Promise<{ readonly ec2PerSecond: number; readonly refused: number }> => {
    ec2Calls = 0;
    outcomes.length = 0;
    const step = cacheSeconds / reviews;
    let tokens = await makeTokens();
    let madeAt = 0;
    for (let second = 0; second < seconds; second += step) {
      if (second - madeAt >= tokenSeconds) [tokens, madeAt] = [await makeTokens(), second];
      void review(tokens[Math.round(second / step) % nodes] ?? '');
      await world.timeline.pass(step);
    }
    await world.timeline.pass(20);
    return { ec2PerSecond: ec2Calls / seconds, refused: outcomes.filter((isAdmitted) => !isAdmitted).length };
  };

  const tokens = await makeTokens();
  const crowd = Promise.all(
    Array.from({ length: reviews }, (_, index) => review(tokens[index % nodes] ?? '')),
  );
  await world.timeline.pass(20);
  await crowd;
  const burst = { ec2PerEnvironment: ec2Calls / reviews, admitted: outcomes.filter(Boolean).length };
  const steady = await spread(600);
  isThrottled = true;
  const throttled = await spread(540);
  return { burst, steady, throttled };
}
