import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { createSandbox } from '@drover/cloud-sandbox';
import { createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { expect, test } from 'vitest';
import { deploy } from '../../../scripts/account/deploy.ts';
import { planRun } from '../../../scripts/account/plan.ts';
import { releaseParameters } from '../../../scripts/account/release-stack.ts';
import { cleanUpMinutes, suites } from '../../../scripts/account/suites.ts';

const region = 'eu-west-1';
type Next = (args: { readonly input: Readonly<Record<string, unknown>> }) => Promise<unknown>;

const bucket = 'drover-account-abcd1234-release';
const template = JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue' } } });

test.each([
  ['CreateBucket', []],
  ['PutObject', []],
  ['CreateStack', ['drover-account-abcd1234-first']],
])('Ctrl-C during %s makes no further stack', async (operation, made) => {
  const sandbox = createSandbox({ region });
  const clients = createAccountClients({ ...sandbox.aws(), maxAttempts: 1 });
  const interrupted = new AbortController();
  const middleware = (next: Next, { commandName }: { readonly commandName?: string }): Next => {
    return async (args) => {
      if (commandName === `${operation}Command`) interrupted.abort();
      return await next(args);
    };
  };
  for (const client of Object.values(clients)) client.middlewareStack.add(middleware, { step: 'initialize' });
  const stack = { templateKey: 'a.template.json', parameters: {} };
  const deployment = {
    bucket,
    artifacts: [{ key: 'a.template.json', content: () => Buffer.from(template) }],
    stacks: ['first', 'second'].map((name) => ({ ...stack, name: `drover-account-abcd1234-${name}` })),
  };
  const deployed = deploy(clients, deployment, {
    region,
    endpoint: 'http://sandbox',
    wait: (seconds) => sandbox.pass(seconds),
    say: () => undefined,
    signal: interrupted.signal,
  });
  await expect(deployed).rejects.toMatchObject({ name: 'AbortError' });
  const { Stacks = [] } = await clients.cloudformation.send(new DescribeStacksCommand({}));
  expect(Stacks.map(({ StackName }) => StackName)).toEqual(made);
});

test('the time of a plan has that of stacks which are never made', async () => {
  const sandbox = createSandbox({ region });
  const clients = createAccountClients({ ...sandbox.aws(), maxAttempts: 1 });
  const middleware = (next: Next, { commandName }: { readonly commandName?: string }): Next => {
    const pending = { output: { Stacks: [{ StackStatus: 'CREATE_IN_PROGRESS' }] } };
    return (args) => (commandName === 'DescribeStacksCommand' ? Promise.resolve(pending) : next(args));
  };
  for (const client of Object.values(clients)) client.middlewareStack.add(middleware, { step: 'initialize' });
  let seconds = 0;
  const stacks = [{ name: 'drover-account-abcd1234-a', templateKey: 'a.template.json', parameters: {} }];
  const artifacts = [{ key: 'a.template.json', content: () => Buffer.from(template) }];
  const deployed = deploy(
    clients,
    { bucket, artifacts, stacks },
    {
      region,
      endpoint: 'http://sandbox',
      wait: async (some) => void (seconds += some),
      say: () => undefined,
      signal: new AbortController().signal,
    },
  );
  await expect(deployed).rejects.toThrow('was not made within');
  const api = suites.filter(({ deploysRelease }) => deploysRelease);
  const { minutes } = planRun({ suites: api, region, maximumDollars: 10 });
  const ofCases = api.reduce((sum, suite) => sum + suite.minutes, 0);
  expect(minutes).toBe(ofCases + 2 * (seconds / 60) + cleanUpMinutes);
});

test('the release of a run names no bucket that another account could have made before', () => {
  const { EtcdSnapshotBucket } = releaseParameters('abcd1234', '123456789012');
  expect(EtcdSnapshotBucket).toBe('drover-account-abcd1234-snapshots');
});
