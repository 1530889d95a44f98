import {
  createCloud,
  createGroup,
  firstInstanceId,
  putHook,
  terminate,
} from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { createTestFront, credentials, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { contextOn, type Machine } from '../../../cli/context.ts';
import { registerHooks } from '../../../cli/hooks/command.ts';

/** `drover hooks ...` on a machine with AWS credentials, against a group `workers` with Drover's hook. */
function createBench() {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud, { LifecycleHookName: 'drover-node-leaving' });
  const { clientOptions } = createTestFront({ services: [cloud.autoScaling], clock: cloud.clock });
  let printed = '';
  const output = {
    isTerminal: false,
    write: (text: string) => {
      printed += text;
    },
  };
  const context: Machine = {
    environment: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    homeDirectory: '/home/someone',
    clock: cloud.clock,
    pause: () => Promise.reject(new Error('nothing waits here')),
    stdout: output,
    stderr: output,
    readFile: () => Promise.reject(new Error('no file is needed')),
    runProgram: () => Promise.reject(new Error('no program is needed')),
    sendHttp: () => Promise.reject(new Error('no cluster is needed')),
    awsRequestHandler: clientOptions.requestHandler,
  };
  const run = async (...args: string[]): Promise<string> => {
    const program = new Command('drover').exitOverride().enablePositionalOptions();
    registerHooks(program, contextOn(context));
    await program.parseAsync(['hooks', ...args], { from: 'user' });
    return printed;
  };
  const hooks = () =>
    cloud.autoScaling.operations
      .DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' })
      .LifecycleHooks.map(({ LifecycleHookName }) => LifecycleHookName);
  return { cloud, run, hooks };
}

it('drover hooks remove deletes the hook of a group without waiting instances', async () => {
  const { run, hooks } = createBench();
  expect(await run('remove', 'workers')).toBe('removed hook drover-node-leaving from workers\n');
  expect(hooks()).toEqual([]);
});

it('drover hooks remove refuses while an instance waits, and names the instance', async () => {
  const { cloud, run, hooks } = createBench();
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  await expect(run('remove', 'workers')).rejects.toThrow(`${instanceId} is in Terminating:Wait`);
  expect(hooks()).toEqual(['drover-node-leaving']);
});

it('drover hooks remove refuses while an instance waits to return to the warm pool, which the group does not list', async () => {
  const { cloud, run, hooks } = createBench();
  cloud.autoScaling.operations.PutWarmPool({
    AutoScalingGroupName: 'workers',
    InstanceReusePolicy: { ReuseOnScaleIn: true },
  });
  cloud.advance(60);
  const instanceId = firstInstanceId(cloud);
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 0 });
  cloud.advance(10);
  await expect(run('remove', 'workers')).rejects.toThrow(`${instanceId} is in Warmed:Pending:Wait`);
  expect(hooks()).toEqual(['drover-node-leaving']);
});

it('drover hooks remove reads every page of the warm pool, also after an empty one', async () => {
  const { cloud, run, hooks } = createBench();
  const { operations } = cloud.autoScaling;
  const { DescribeWarmPool } = operations;
  operations.PutWarmPool({ AutoScalingGroupName: 'workers', InstanceReusePolicy: { ReuseOnScaleIn: true } });
  cloud.advance(60);
  const instanceId = firstInstanceId(cloud);
  operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 0 });
  cloud.advance(10);
  Object.assign(operations, {
    DescribeWarmPool: ({ NextToken, ...input }: Parameters<typeof DescribeWarmPool>[0]) =>
      NextToken === undefined ? { Instances: [], NextToken: 'more' } : DescribeWarmPool(input),
  });
  await expect(run('remove', 'workers')).rejects.toThrow(`${instanceId} is in Warmed:Pending:Wait`);
  expect(hooks()).toEqual(['drover-node-leaving']);
});

it('drover hooks remove names a group or hook that does not exist, and the hooks that do', async () => {
  const { run } = createBench();
  await expect(run('remove', 'missing')).rejects.toThrow('there is no Auto Scaling group missing');
  await expect(run('remove', 'workers', '--hook', 'other')).rejects.toThrow(
    'workers has no hook other: it has drover-node-leaving, which --hook can name',
  );
  await run('remove', 'workers');
  await expect(run('remove', 'workers')).rejects.toThrow(
    'workers has no hook drover-node-leaving: it has no hook at all',
  );
});

it('drover hooks remove --dry-run says what it would remove, and removes nothing', async () => {
  const { run, hooks } = createBench();
  expect(await run('remove', 'workers', '--dry-run')).toBe(
    'would remove hook drover-node-leaving from workers\n',
  );
  expect(hooks()).toEqual(['drover-node-leaving']);
});

it('drover hooks remove --joining removes the hook on launching instances', async () => {
  const { cloud, run, hooks } = createBench();
  putHook(cloud, {
    LifecycleHookName: 'drover-node-joining',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
  });
  await run('remove', 'workers', '--joining');
  expect(hooks()).toEqual(['drover-node-leaving']);
});

it('drover hooks remove keeps the hooks of a group that only another cluster owns', async () => {
  const { cloud, run, hooks } = createBench();
  const tag = (Key: string) => ({
    Tags: [
      {
        ResourceId: 'workers',
        ResourceType: 'auto-scaling-group',
        Key,
        Value: 'owned',
        PropagateAtLaunch: false,
      },
    ],
  });
  cloud.autoScaling.operations.CreateOrUpdateTags(tag('kubernetes.io/cluster/prod'));
  await expect(run('remove', 'workers', '--cluster', 'dev')).rejects.toThrow(
    'workers belongs to cluster prod. Name that cluster with --cluster if you mean it',
  );
  expect(hooks()).toEqual(['drover-node-leaving']);
  await run('remove', 'workers', '--cluster', 'prod');
  expect(hooks()).toEqual([]);
});

it.each([
  [['--region', 'us-east-1', 'remove', 'workers'], '--region', 'remove'],
  [['--cluster', 'dev', 'install', 'workers'], '--cluster', 'install'],
  [['--json', 'install', 'workers'], '--json', 'install'],
])('drover hooks %j refuses a flag that its subcommand would not see', async (args, flag, name) => {
  const { run, hooks } = createBench();
  await expect(run(...args)).rejects.toThrow(
    `error: give ${flag} after ${name}: drover hooks ${name} GROUP ${flag}`,
  );
  expect(hooks()).toEqual(['drover-node-leaving']);
});

it('drover hooks remove refuses an empty name, as a variable that is not set leaves it', async () => {
  const { run, hooks } = createBench();
  await expect(run('remove', 'workers', '--hook', '')).rejects.toThrow('It is empty');
  expect(hooks()).toEqual(['drover-node-leaving']);
});
