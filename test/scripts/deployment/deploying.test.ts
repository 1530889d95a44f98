import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { createTestFront } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { describe, expect, test } from 'vitest';
import { type Command, runHook } from './support/guard.ts';

const { clientOptions } = createTestFront({ services: [], clock: createVirtualClock() });
const run = (event: string, command: Partial<Command>): Promise<void> =>
  runHook(event, { command: 'deploy', clientOptions, ...command });

describe('before a stack is changed', () => {
  const event = 'before:aws:deploy:deploy:createStack';

  test('allows the first deployment, and one of the same cluster', async () => {
    await expect(run(event, {})).resolves.toBeUndefined();
    const stack = { stackName: 'drover-prod', tags: { 'drover.dev/cluster': 'prod' } };
    await expect(run(event, { stack })).resolves.toBeUndefined();
  });

  test('asks who may redrive dead letters before the first deployment, and not at an update', async () => {
    const without = { operatorRole: '' };
    await expect(run(event, without)).rejects.toMatchObject({
      code: 'DROVER_NO_OPERATOR_ROLE',
      message: expect.stringMatching(/deploy\/stages\/prod.yml.*drover operator-role/),
    });
    const stack = { stackName: 'drover-prod', tags: { 'drover.dev/cluster': 'prod' } };
    await expect(run(event, { ...without, stack })).resolves.toBeUndefined();
    await expect(run(event, { operatorRole: 'none' })).resolves.toBeUndefined();
  });

  test('refuses to turn a stack into that of another cluster', async () => {
    const stack = { stackName: 'drover-prod', tags: { 'drover.dev/cluster': 'prod' } };
    await expect(run(event, { stack, clusterName: 'drover' })).rejects.toMatchObject({
      code: 'DROVER_ANOTHER_CLUSTER',
      message: expect.stringContaining('serves the cluster prod, and the stage names drover'),
    });
  });

  test.each([
    ['the first deployment', undefined],
    ['an update', { stackName: 'drover-prod', tags: { 'drover.dev/cluster': 'prod' } }],
  ])('refuses %s beside a cluster whose name differs only in case', async (_, stack) => {
    const others = ['Prod', 'PROD'].map((name) => [
      { stackName: 'unrelated' },
      { stackName: 'drover-other', tags: { 'drover.dev/cluster': name } },
    ]);
    for (const beside of others)
      await expect(run(event, { stack, others: beside })).rejects.toMatchObject({
        code: 'DROVER_SAME_CLUSTER_IN_ANOTHER_CASE',
        message: expect.stringContaining('the stack drover-other serves the cluster'),
      });
  });

  test('allows stages of other names, and another stage of the same cluster', async () => {
    const others = ['prod', 'prod2', 'test'].map((name) => ({
      stackName: `drover-${name}-b`,
      tags: { 'drover.dev/cluster': name },
    }));
    await expect(run(event, { others })).resolves.toBeUndefined();
  });

  test('refuses to deploy over a stack that is not Drover’s', async () => {
    const stack = { stackName: 'drover-prod', tags: { team: 'x' } };
    await expect(run(event, { stack })).rejects.toMatchObject({ code: 'DROVER_NO_CLUSTER' });
  });
});

test('a deployment takes no parameters from the command line, which the next one would not know', async () => {
  const param = ['network=private', 'vpcId=vpc-1'];
  await expect(run('initialize', { param })).rejects.toThrow(
    /--param network=private --param vpcId=vpc-1.\nWrite parameters into deploy\/stages\/prod.yml/,
  );
  await expect(run('initialize', { command: 'package', param })).resolves.toBeUndefined();
  await expect(run('initialize', {})).resolves.toBeUndefined();
});

test('a package that was made with parameters of the command line is not deployed', async () => {
  const event = 'before:aws:deploy:deploy:createStack';
  await expect(run(event, { packagedWith: ['network=private'] })).rejects.toThrow(
    'Not deployed: the next deploy would not know --param network=private',
  );
});

test('every command that calls AWS needs a region', async () => {
  for (const command of ['deploy', 'remove', 'info'])
    await expect(run('initialize', { command, region: null })).rejects.toThrow('The region is missing');
  await expect(run('initialize', { command: 'package', region: null })).resolves.toBeUndefined();
});

test('a single function cannot be deployed: its code would be new, and its settings would not', async () => {
  await expect(run('initialize', { command: 'deploy function' })).rejects.toMatchObject({
    code: 'DROVER_ONE_FUNCTION',
    message: expect.stringContaining('Run serverless deploy.'),
  });
});
