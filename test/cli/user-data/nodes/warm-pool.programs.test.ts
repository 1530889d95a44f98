import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMachine, missingTool } from './machine.ts';
import { textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

const hook = 'drover-node-joining';
const until = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 });

/** The script with which a flavour waits in a warm pool. */
async function poolScript(flavour: string, kubelet: string): Promise<string> {
  if (flavour === 'script' || flavour === 'eks-al2') {
    const text = await textOf(flavour, flavour === 'script' ? `--kubelet ${kubelet}` : '');
    return /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text)?.[1] ?? '';
  }
  const text = await textOf(flavour, flavour === 'flatcar' ? `--kubelet ${kubelet}` : '');
  if (flavour === 'flatcar') {
    const { storage } = JSON.parse(text) as {
      storage: { files: readonly { path: string; contents: { source: string } }[] };
    };
    const [, data = ''] =
      storage.files.find(({ path }) => path.endsWith('drover-node'))?.contents.source.split(',') ?? [];
    return atob(data);
  }
  const end = text.includes('--==DROVER==--') ? text.lastIndexOf('--==DROVER==--') : undefined;
  const { write_files: files } = parse(text.slice(text.indexOf('#cloud-config'), end)) as {
    readonly write_files: readonly { readonly path: string; readonly content: string }[];
  };
  const dropIn = files.find(({ path }) => path.endsWith('50-drover-warm-pool.conf'))?.content ?? '';
  const [, path, word = ''] = /^ExecStartPre=(\S+) ?(.*)$/m.exec(dropIn) ?? [];
  return `set -- ${word}\n${files.find((file) => file.path === path)?.content ?? ''}`;
}

/** An instance that a launch hook holds on its way into a warm pool, and its machine. */
async function held(options: { readonly mayCompleteHooks?: boolean; readonly hookName?: string } = {}) {
  const account = await openAccount({ mayCompleteHooks: options.mayCompleteHooks ?? true });
  account.put('/drover/prod/bootstrap-kubeconfig', kubeconfig);
  const { operations } = account.account.autoScaling;
  account.account.ec2.operations.CreateLaunchTemplate({
    LaunchTemplateName: 'workers',
    LaunchTemplateData: {
      InstanceType: 'm5.large',
      ImageId: 'ami-0123456789abcdef0',
      IamInstanceProfile: { Name: 'worker' },
    },
  });
  operations.CreateAutoScalingGroup({
    AutoScalingGroupName: 'work ers/1',
    LaunchTemplate: { LaunchTemplateName: 'workers', Version: '$Latest' },
    MinSize: 0,
    MaxSize: 1,
    DesiredCapacity: 0,
    AvailabilityZones: ['eu-west-1a'],
    LifecycleHookSpecificationList: [
      {
        LifecycleHookName: options.hookName ?? hook,
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        HeartbeatTimeout: 7200,
      },
    ],
  });
  operations.PutWarmPool({ AutoScalingGroupName: 'work ers/1', MinSize: 1, PoolState: 'Running' });
  const inGroup = () => operations.DescribeAutoScalingInstances({}).AutoScalingInstances?.[0];
  await until(() => inGroup()?.LifecycleState).toBe('Warmed:Pending:Wait');
  const instance = await account.metadataOf({
    instanceId: inGroup()?.InstanceId ?? '',
    privateDnsName: '',
    zone: '',
  });
  return { account, operations, instance, machine: createMachine(), state: () => inGroup()?.LifecycleState };
}

const leavePool = ({ operations }: Awaited<ReturnType<typeof held>>) =>
  operations.SetDesiredCapacity({ AutoScalingGroupName: 'work ers/1', DesiredCapacity: 1 });

describe.skipIf(missingTool !== undefined)('a launch into a warm pool', () => {
  it.each(['script', 'flatcar', 'kubeadm', 'eks-al2', 'eks-al2023', 'openshift-3.11'])(
    'ends once the user data of %s has ended',
    async (flavour) => {
      const pool = await held();
      const { machine, instance, state } = pool;
      machine.write('run/cloud-init/enabled', '');
      const booting = machine.run(await poolScript(flavour, machine.at('bin/kubelet')), instance.environment);
      await until(() => machine.slept()).toBeGreaterThan(30);
      expect(state()).toBe('Warmed:Pending:Wait');
      machine.write('run/cloud-init/result.json', '{}');
      await until(state).toBe('Warmed:Running');
      leavePool(pool);
      await until(state).toBe('Pending:Wait');
      const { status, log } = await booting;
      expect({ status, faults: pool.account.faults }).toEqual({ status: 0, faults: [] });
      expect(log.split(`completed ${hook}`)).toHaveLength(2);
      expect(log).not.toContain('cannot complete');
    },
  );

  it('ends after five minutes if the user data waits for the kubelet, as on Amazon Linux 2', async () => {
    const { machine, instance, state, ...pool } = await held();
    machine.write('run/cloud-init/enabled', '');
    const booting = machine.run(await poolScript('eks-al2', ''), instance.environment);
    await until(state).toBe('Warmed:Running');
    expect(machine.slept()).toBeGreaterThanOrEqual(295);
    leavePool({ machine, instance, state, ...pool });
    expect((await booting).status).toBe(0);
  });

  it('is completed with the AWS CLI of the image', async () => {
    const { machine, instance, state, ...pool } = await held();
    machine.program(
      'aws',
      `printf '%s\\0' "$@" >>${machine.at('aws-calls')}; printf '\\n' >>${machine.at('aws-calls')}; [[ $2 != describe* ]] || echo 'work ers/1'`,
    );
    const booting = machine.run(await poolScript('kubeadm', ''), instance.environment);
    await until(() => machine.read('run/drover-node/launch-completed')).toBe('');
    leavePool({ machine, instance, state, ...pool });
    pool.operations.CompleteLifecycleAction({
      AutoScalingGroupName: 'work ers/1',
      LifecycleHookName: hook,
      LifecycleActionResult: 'CONTINUE',
      InstanceId:
        pool.operations.DescribeAutoScalingInstances({}).AutoScalingInstances?.[0]?.InstanceId ?? '',
    });
    expect((await booting).status).toBe(0);
    const [, complete = ''] = (machine.read('aws-calls') ?? '').split('\n');
    expect(complete.split('\0').slice(0, 10)).toEqual([
      'autoscaling',
      'complete-lifecycle-action',
      '--region',
      'eu-west-1',
      '--lifecycle-action-result',
      'CONTINUE',
      '--lifecycle-hook-name',
      hook,
      '--auto-scaling-group-name',
      'work ers/1',
    ]);
  });

  it('says which right the role lacks, and asks less and less often', async () => {
    const { machine, instance, state, ...pool } = await held({ mayCompleteHooks: false });
    const booting = machine.run(await poolScript('kubeadm', ''), instance.environment);
    await until(() => machine.slept()).toBeGreaterThan(300);
    expect(state()).toBe('Warmed:Pending:Wait');
    pool.operations.CompleteLifecycleAction({
      AutoScalingGroupName: 'work ers/1',
      LifecycleHookName: hook,
      LifecycleActionResult: 'CONTINUE',
      InstanceId:
        pool.operations.DescribeAutoScalingInstances({}).AutoScalingInstances?.[0]?.InstanceId ?? '',
    });
    await until(state).toBe('Warmed:Running');
    leavePool({ machine, instance, state, ...pool });
    const { log } = await booting;
    const refusals = log.split('cannot complete').length - 1;
    expect(refusals).toBeGreaterThan(2);
    expect(refusals).toBeLessThan(2 + Math.log2(machine.slept()));
    expect(log).toMatch(
      /cannot complete drover-node-joining: .*autoscaling:\w+.*May the role of this instance do it/,
    );
  });

  it('is left to the hooks of others, and asked about once', async () => {
    const { machine, instance, state, ...pool } = await held({ hookName: 'theirs' });
    const booting = machine.run(await poolScript('kubeadm', ''), instance.environment);
    await until(() => machine.slept()).toBeGreaterThan(100);
    expect(state()).toBe('Warmed:Pending:Wait');
    pool.operations.CompleteLifecycleAction({
      AutoScalingGroupName: 'work ers/1',
      LifecycleHookName: 'theirs',
      LifecycleActionResult: 'CONTINUE',
      InstanceId:
        pool.operations.DescribeAutoScalingInstances({}).AutoScalingInstances?.[0]?.InstanceId ?? '',
    });
    await until(state).toBe('Warmed:Running');
    leavePool({ machine, instance, state, ...pool });
    expect((await booting).log).not.toMatch(/completed|cannot complete/);
  });
});
