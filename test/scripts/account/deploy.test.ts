import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { createSandbox } from '@drover/cloud-sandbox';
import { createAccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { expect, test } from 'vitest';
import { deploy } from '../../../scripts/account/deploy.ts';
import { releaseParameters } from '../../../scripts/account/release-stack.ts';

const region = 'eu-west-1';
type Next = (args: { readonly input: Readonly<Record<string, unknown>> }) => Promise<unknown>;

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
    bucket: 'drover-account-abcd1234-release',
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

test('the release of a run names no bucket that another account could have made before', () => {
  const { EtcdSnapshotBucket } = releaseParameters('abcd1234', '123456789012');
  expect(EtcdSnapshotBucket).toBe('drover-account-abcd1234-snapshots');
});
