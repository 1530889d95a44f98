import { AutoScalingClient, DescribeAutoScalingInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadyObject, type StartedSandbox, startSandbox } from './support/started-sandbox.ts';

let sandboxes: readonly StartedSandbox[] = [];

beforeAll(async () => {
  const start = () => startSandbox('--seed', '1', '--no-story');
  sandboxes = await Promise.all([start(), start()]);
});
afterAll(() => {
  for (const { process } of sandboxes) process.kill('SIGKILL');
});

const settingsOf = ({ endpoints, region, accessKeyId, secretAccessKey }: ReadyObject) => ({
  endpoint: endpoints.aws,
  region,
  credentials: { accessKeyId, secretAccessKey },
});

async function ofEach<Value>(read: (ready: ReadyObject) => Promise<Value> | Value): Promise<[Value, Value]> {
  const [one, other] = await Promise.all(sandboxes.map(({ ready }) => read(ready)));
  if (one === undefined || other === undefined) throw new Error('there are not two sandboxes');
  return [one, other];
}

test('two sandboxes on the wire with the same seed have the same instances', async () => {
  const [one, other] = await ofEach(async (ready) => {
    const client = new AutoScalingClient(settingsOf(ready));
    const { AutoScalingInstances = [] } = await client.send(new DescribeAutoScalingInstancesCommand({}));
    return AutoScalingInstances.map(({ InstanceId }) => InstanceId);
  });
  expect(one.length).toBeGreaterThan(3);
  expect(one).toEqual(other);
});

test('two sandboxes on the wire with the same seed have different access keys', async () => {
  const [id, otherId] = await ofEach(({ accessKeyId }) => accessKeyId);
  const [secret, otherSecret] = await ofEach(({ secretAccessKey }) => secretAccessKey);
  expect(id).not.toBe(otherId);
  expect(secret).not.toBe(otherSecret);
});

test('two sandboxes on the wire with the same seed have different tokens for their functions', async () => {
  const [token, otherToken] = await ofEach(async (ready) => {
    const command = new GetParameterCommand({ Name: '/drover/drover/kubeconfig', WithDecryption: true });
    const { Parameter } = await new SSMClient(settingsOf(ready)).send(command);
    return JSON.parse(Parameter?.Value ?? '').users[0].user.token as string;
  });
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  expect(token).not.toBe(otherToken);
});
