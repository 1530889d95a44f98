import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMachine, missingTool } from './machine.ts';
import { authority, authorityPem, textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

const parameter = '/drover/prod/bootstrap-kubeconfig';
const bootstrap = 'var/lib/kubelet/bootstrap-kubeconfig';

/** The boot script of a flavour that is a shell script. */
const scriptIn = (text: string): string => /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text)?.[1] ?? '';

/** The boot script of a flavour that is a cloud-config. */
const scriptOf = (text: string): string =>
  parse(text).write_files.find(({ path }: { path: string }) => path === '/usr/local/sbin/drover-node')
    .content;

const kubeletScript = async (machine: ReturnType<typeof createMachine>, flags = '') =>
  scriptIn(await textOf('script', `--kubelet ${machine.at('bin/kubelet')} ${flags}`));

describe.skipIf(missingTool !== undefined)(
  `an instance that boots with the script${missingTool === undefined ? '' : ` (skipped: ${missingTool} is not installed)`}`,
  () => {
    it('reads its credential with the role of its profile, and becomes the kubelet', async () => {
      const account = await openAccount();
      account.put(parameter, kubeconfig);
      const [instance, machine] = [await account.launch(), createMachine()];
      const script = await kubeletScript(
        machine,
        '--label a/b=c --taint d:NoExecute --kubelet-flag x=$(reboot)',
      );
      expect(await machine.run(script, instance.environment)).toMatchObject({ status: 0 });
      expect(machine.calls('kubelet')).toEqual([
        [
          '--config=/etc/kubernetes/drover-kubelet.yaml',
          '--kubeconfig=/var/lib/kubelet/kubeconfig',
          `--hostname-override=${instance.privateDnsName}`,
          `--provider-id=aws:///${instance.zone}/${instance.instanceId}`,
          '--bootstrap-kubeconfig=/var/lib/kubelet/bootstrap-kubeconfig',
          '--node-labels=a/b=c',
          '--register-with-taints=d=:NoExecute',
          '--x=$(reboot)',
        ],
      ]);
      expect(machine.read(bootstrap)?.trim()).toBe(kubeconfig.trim());
      expect(machine.mode(bootstrap)).toBe(0o600);
      expect(machine.read('etc/kubernetes/drover-ca.crt')).toBe('-----BEGIN CERTIFICATE-----');
      expect(account.faults).toEqual([]);
    });

    it('is a node under its id with --node-name instance-id', async () => {
      const account = await openAccount();
      account.put(parameter, kubeconfig);
      const [instance, machine] = [await account.launch(), createMachine()];
      await machine.run(await kubeletScript(machine, '--node-name instance-id'), instance.environment);
      expect(machine.calls('kubelet')[0]).toContain(`--hostname-override=${instance.instanceId}`);
    });

    it('asks again while Parameter Store throttles, later each time', async () => {
      const account = await openAccount();
      account.put(parameter, kubeconfig);
      account.refuse((request) => (request <= 6 ? 'ThrottlingException' : undefined));
      const [instance, machine] = [await account.launch(), createMachine()];
      const { status, log } = await machine.run(await kubeletScript(machine), instance.environment);
      expect([status, account.requests(), machine.calls('kubelet').length]).toEqual([0, 7, 1]);
      expect(log).toMatch(/cannot be read yet: ThrottlingException: Rate exceeded/);
      expect(machine.read('sleeps')?.trim().split('\n')).toHaveLength(7);
    });

    it('waits for a credential that is published later', async () => {
      const account = await openAccount();
      account.refuse((request) => {
        if (request === 3) account.put(parameter, kubeconfig);
        return undefined;
      });
      const [instance, machine] = [await account.launch(), createMachine()];
      const { status, log } = await machine.run(await kubeletScript(machine), instance.environment);
      expect([status, machine.calls('kubelet')]).toEqual([0, [expect.any(Array)]]);
      expect(log).toContain('ParameterNotFound');
    });

    it.each(['AccessDeniedException', 'InternalServerError'] as const)(
      'gives up for good after its time, and says why: %s',
      async (code) => {
        const account = await openAccount();
        account.refuse(() => code);
        const [instance, machine] = [await account.launch(), createMachine()];
        const { status, log } = await machine.run(
          await kubeletScript(machine, '--fetch-timeout 1m'),
          instance.environment,
        );
        expect([status, machine.calls('kubelet')]).toEqual([78, []]);
        expect(log).toContain(`${parameter} could not be read for 60 s: ${code}`);
        expect(machine.slept()).toBeLessThan(60 + 30 + 10);
      },
    );

    it.each(['', 'None', '{}'])('never starts with something else in the parameter: %j', async (value) => {
      const account = await openAccount();
      account.put(parameter, value || ' ');
      const [instance, machine] = [await account.launch(), createMachine()];
      const { status, log } = await machine.run(
        await kubeletScript(machine, '--fetch-timeout 1m'),
        instance.environment,
      );
      expect([status, machine.calls('kubelet'), machine.read(bootstrap)]).toEqual([78, [], undefined]);
      expect(log).toContain("its value lacks 'certificate-authority-data'");
    });

    it('asks for nothing once it has its certificate', async () => {
      const account = await openAccount();
      const [instance, machine] = [await account.launch(), createMachine()];
      machine.write('var/lib/kubelet/kubeconfig', 'x');
      machine.write('etc/kubernetes/drover-ca.crt', 'x');
      expect((await machine.run(await kubeletScript(machine), instance.environment)).status).toBe(0);
      expect([account.requests(), machine.calls('kubelet')[0]?.length]).toEqual([0, 4]);
    });

    it('reads a new credential once its certificate has expired, as after months in a warm pool', async () => {
      const account = await openAccount();
      account.put(parameter, kubeconfig);
      const [instance, machine] = [await account.launch(), createMachine()];
      machine.write('var/lib/kubelet/kubeconfig', 'x');
      machine.write('etc/kubernetes/drover-ca.crt', 'x');
      machine.program('openssl', 'exit 1');
      await machine.run(await kubeletScript(machine), instance.environment);
      expect(machine.calls('kubelet')[0]).toContain(
        '--bootstrap-kubeconfig=/var/lib/kubelet/bootstrap-kubeconfig',
      );
    });

    it('joins only with IAM, without Parameter Store', async () => {
      const account = await openAccount();
      const [instance, machine] = [await account.launch(), createMachine()];
      const flags = `--credential iam --endpoint https://api.example.com:6443 --certificate-authority ${authority}`;
      expect((await machine.run(await kubeletScript(machine, flags), instance.environment)).status).toBe(0);
      const { users, clusters } = JSON.parse(machine.read('var/lib/kubelet/kubeconfig') ?? '');
      expect(users[0].user.exec.args).toEqual([
        '--region',
        'eu-west-1',
        'eks',
        'get-token',
        '--cluster-name',
        'prod',
      ]);
      expect(clusters[0].cluster.server).toBe('https://api.example.com:6443');
      expect(machine.read('etc/kubernetes/drover-ca.crt')).toBe(authorityPem);
      expect(account.requests()).toBe(0);
    });

    it('starts no kubelet in a warm pool, and starts it once it leaves the pool', async () => {
      const account = await openAccount();
      account.put(parameter, kubeconfig);
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
        AutoScalingGroupName: 'workers',
        LaunchTemplate: { LaunchTemplateName: 'workers', Version: '$Latest' },
        MinSize: 0,
        MaxSize: 1,
        DesiredCapacity: 0,
        AvailabilityZones: ['eu-west-1a'],
      });
      operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, PoolState: 'Running' });
      const inGroup = () => operations.DescribeAutoScalingInstances({}).AutoScalingInstances?.[0];
      await expect.poll(inGroup).toBeDefined();
      const instanceId = inGroup()?.InstanceId ?? '';
      const instance = await account.metadataOf({ instanceId, privateDnsName: '', zone: '' });
      const machine = createMachine();
      const booting = machine.run(await kubeletScript(machine), instance.environment);
      await expect.poll(() => inGroup()?.LifecycleState).toBe('Warmed:Running');
      await expect.poll(() => machine.slept()).toBeGreaterThan(10);
      expect([machine.calls('kubelet'), machine.read(bootstrap)]).toEqual([[], undefined]);
      operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
      const { status, log } = await booting;
      expect([status, machine.calls('kubelet').length]).toEqual([0, 1]);
      expect(log).toContain('is in the warm pool (Warmed:Running): the kubelet does not start');
    });
  },
);

describe.skipIf(missingTool !== undefined)('an instance that boots with kubeadm', () => {
  const template = (text: string): string =>
    parse(text).write_files.find(({ path }: { path: string }) => path.endsWith('drover-kubeadm.yaml'))
      .content;

  const boot = async (flags = '') => {
    const account = await openAccount();
    const [instance, machine] = [await account.launch(), createMachine()];
    const text = await textOf('kubeadm', flags);
    machine.write('etc/kubernetes/drover-kubeadm.yaml', template(text));
    return { account, instance, machine, run: () => machine.run(scriptOf(text), instance.environment) };
  };

  it('joins with the discovery file, under its own name', async () => {
    const { account, instance, machine, run } = await boot('--kubelet-flag v=4');
    account.put(parameter, kubeconfig);
    machine.program(
      'kubeadm',
      `cat ${machine.at('var/lib/drover-node/discovery.kubeconfig')} >${machine.at('seen')}; printf '%s\\0' "$@" >${machine.at('kubeadm-calls')}`,
    );
    expect(await run()).toMatchObject({ status: 0 });
    expect(machine.calls('kubeadm')).toEqual([['join', '--config=/var/lib/drover-node/kubeadm.yaml']]);
    expect(machine.read('seen')?.trim()).toBe(kubeconfig.trim());
    const { nodeRegistration } = parse(machine.read('var/lib/drover-node/kubeadm.yaml') ?? '');
    expect(nodeRegistration.name).toBe(instance.privateDnsName);
    expect(nodeRegistration.kubeletExtraArgs).toEqual([
      { name: 'provider-id', value: `aws:///${instance.zone}/${instance.instanceId}` },
      { name: 'v', value: '4' },
    ]);
    expect(machine.read('var/lib/drover-node/discovery.kubeconfig')).toBeUndefined();
  });

  it('starts over after a failed attempt, and does nothing once it has joined', async () => {
    const { account, machine, run } = await boot();
    account.put(parameter, kubeconfig);
    machine.write('kubeadm-fails', '');
    expect((await run()).status).toBe(1);
    machine.program('kubeadm', `echo "$1" >>${machine.at('again')}`);
    expect((await run()).status).toBe(0);
    expect(machine.read('again')).toBe('reset\njoin\n');
    machine.write('etc/kubernetes/kubelet.conf', 'x');
    expect((await run()).status).toBe(0);
    expect(machine.read('again')).toBe('reset\njoin\n');
  });

  const founding = async (endpoint: string) => {
    const booted = await boot(
      `--role control-plane --init --endpoint ${endpoint} --service-cidr 10.96.0.0/12 --etcd-endpoint https://etcd.example.internal:2379`,
    );
    for (const file of [
      'ca.crt',
      'ca.key',
      'sa.key',
      'sa.pub',
      'front-proxy-ca.crt',
      'front-proxy-client.crt',
      'front-proxy-client.key',
      'etcd/ca.crt',
      'apiserver-etcd-client.crt',
      'apiserver-etcd-client.key',
    ])
      booted.account.put(`/drover/prod/pki/${file}`, `-----BEGIN ${file}-----`);
    return booted;
  };

  it('founds a cluster with the certificates of Parameter Store', async () => {
    const { machine, run } = await founding('https://api.example.com:6443');
    expect(await run()).toMatchObject({ status: 0 });
    expect(machine.calls('kubeadm')).toEqual([['init', '--config=/var/lib/drover-node/kubeadm.yaml']]);
    expect(machine.read('etc/kubernetes/pki/etcd/ca.crt')).toContain('BEGIN etcd/ca.crt');
    expect([machine.mode('etc/kubernetes/pki/ca.key'), machine.mode('etc/kubernetes/pki/ca.crt')]).toEqual([
      0o600, 0o644,
    ]);
    expect(machine.read('var/lib/drover-node/kubeadm.yaml')).not.toContain('@ADDRESS@');
  });

  describe('while it founds the cluster', () => {
    const others = '127.0.0.1 localhost\n10.0.0.9 api.example.com.old\n';
    /** What /etc/hosts says when kubeadm runs. */
    const watch = ({ at, program }: Awaited<ReturnType<typeof boot>>['machine'], status = 0) =>
      program('kubeadm', `cat ${at('etc/hosts')} >${at('seen')}; exit ${status}`);

    it('has the name of the endpoint for itself, because the load balancer has no API server yet', async () => {
      const { machine, run } = await founding('https://api.example.com:6443');
      machine.write('etc/hosts', others.trim());
      watch(machine);
      expect(await run()).toMatchObject({ status: 0 });
      const [, own] =
        /advertiseAddress: "?(10\.[\d.]+)/.exec(machine.read('var/lib/drover-node/kubeadm.yaml') ?? '') ?? [];
      expect(machine.read('seen')).toBe(`${others}${own} api.example.com # drover-node: kubeadm init\n`);
      expect(machine.read('etc/hosts')).toBe(others);
    });

    it('gives the name back if kubeadm fails, and if an earlier run was killed', async () => {
      const { machine, run } = await founding('https://api.example.com:6443');
      machine.write('etc/hosts', `${others}10.0.9.9 api.example.com # drover-node: kubeadm init\n`);
      watch(machine, 1);
      expect(await run()).toMatchObject({ status: 1 });
      expect(machine.read('seen')).not.toContain('10.0.9.9');
      expect(machine.read('etc/hosts')).toBe(others);
    });

    it.each(['https://10.0.0.4:6443', 'https://[fd00::4]:6443'])(
      'leaves an address alone: %s',
      async (endpoint) => {
        const { machine, run } = await founding(endpoint);
        machine.write('etc/hosts', others);
        watch(machine);
        expect(await run()).toMatchObject({ status: 0 });
        expect(machine.read('seen')).toBe(others);
      },
    );
  });

  it('that joins reaches the API servers by the name of the endpoint', async () => {
    const { account, machine, run } = await boot();
    account.put(parameter, kubeconfig);
    expect(await run()).toMatchObject({ status: 0 });
    expect(machine.read('etc/hosts')).toBeUndefined();
  });
});

describe.skipIf(missingTool !== undefined)('an instance that boots with OpenShift 3.11', () => {
  it('has the kubeconfig of node-bootstrapper and the credential of its registry', async () => {
    const account = await openAccount();
    const [instance, machine] = [await account.launch(), createMachine()];
    account.put('/drover/prod/node-bootstrapper-kubeconfig', kubeconfig);
    account.put('/registry', '{"auths": {}}');
    const script = scriptOf(await textOf('openshift-3.11', '--registry-parameter /registry'));
    expect(await machine.run(script, instance.environment)).toMatchObject({ status: 0 });
    expect(machine.mode('etc/origin/node/bootstrap.kubeconfig')).toBe(0o640);
    expect(machine.read('var/lib/origin/.docker/config.json')).toBe('{"auths": {}}\n');
    expect(machine.mode('var/lib/origin/.docker/config.json')).toBe(0o644);
  });
});
