import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { flavourNames } from '../../../../cli/user-data/nodes/names.ts';
import { foundingFlags, textOf, userDataOf, usualFlags } from './support.ts';

interface CloudConfig {
  readonly write_files: readonly {
    readonly path: string;
    readonly permissions: string;
    readonly content: string;
  }[];
  readonly runcmd: readonly (readonly string[])[];
}

const fileIn = (text: string, path: string): string =>
  (parse(text) as CloudConfig).write_files.find((file) => file.path === path)?.content ?? '';

describe.each(flavourNames)('drover user-data %s', (flavour) => {
  it('fits into EC2’s limit, and holds no secret', async () => {
    const text = await textOf(flavour);
    expect(Buffer.byteLength(text)).toBeLessThan(16_384);
    expect(text).not.toMatch(/PRIVATE KEY|[a-z0-9]{6}\.[a-z0-9]{16}\b/);
  });

  it('prints the same each time', async () => {
    expect(await textOf(flavour)).toBe(await textOf(flavour));
  });

  it('keeps the kubelet down in a warm pool', async () => {
    const text = await textOf(flavour);
    const decoded = text.replaceAll(/data:;base64,([^"]*)/g, (_, data: string) => atob(data));
    expect(decoded).toMatch(/autoscaling\/target-lifecycle-state|"should-wait" = true/);
  });
});

describe('what a flavour cannot do', () => {
  it.each([
    [
      'eks-al2',
      '--kubernetes-version 1.33',
      /1\.33 is refused: AWS makes no images of Amazon Linux 2 from 1\.33 on: use eks-al2023/,
    ],
    ['bottlerocket', '--credential ssm', /a bootstrap token would be in the user data/],
    ['bottlerocket', '--kubelet-flag v=4', /configures the kubelet with settings, not with flags/],
    ['eks-al2023', '--credential ssm', /EKS has no bootstrap tokens/],
    ['eks-al2023', '--role control-plane', /AWS runs the control plane of EKS/],
    ['eks-al2023', '--kubelet-flag x=a$b', /systemd would split or replace its value/],
    ['kubeadm', '--credential iam', /use the flavour script/],
    [
      'kubeadm',
      '--role control-plane --init --endpoint https://a:6443 --service-cidr 10.96.0.0/12',
      /--etcd-endpoint is missing: .*drover user-data etcd/,
    ],
    ['kubeadm', '--init', /--init needs --role control-plane/],
    ['kubeadm', '--service-cidr 10.96.0.0/12', /belongs to --init/],
    ['script', '--role control-plane', /use kubeadm/],
    ['script', '--credential iam', /needs --endpoint and --certificate-authority/],
    ['script', '--endpoint https://a:6443', /refused with --credential ssm/],
    ['script', '--kubelet-flag kubeconfig=/x', /the user data sets it itself/],
    ['flatcar', '--credential iam', /no AWS CLI/],
    ['flatcar', '--gzip', /Ignition reads no compressed user data/],
    ['openshift-3.11', '--label a=b', /openshift_node_groups/],
    ['openshift-3.11', '--credential iam', /node-bootstrapper/],
    ['openshift-3.11', '--kubernetes-version 1.34', /Kubernetes 1\.11/],
  ])('is refused with the reason, before anything is printed: %s %s', async (flavour, flags, reason) => {
    const line = `${flavour} --cluster prod --no-check ${usualFlags[flavour]} ${flags}`;
    expect(await userDataOf(line)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(reason),
    });
  });

  it('is refused with all reasons at once', async () => {
    const { stderr } = await userDataOf('eks-al2 --cluster prod --init --kubernetes-version 1.40');
    for (const words of ['--init', '--endpoint', '--certificate-authority', '--service-cidr', '1.40'])
      expect(stderr).toContain(words);
  });
});

describe('bad input', () => {
  it.each([
    ['--cluster a;b', /--cluster: write a cluster name .* without spaces/],
    ['', /--cluster: write a cluster name/],
    [
      '--cluster prod --service-cidr 10.96.0.0/12 --vpc-cidr 10.96.0.0/16',
      /overlap: give each addresses of its own/,
    ],
    ['--cluster prod --service-cidr 10.96.0.1/12', /--service-cidr: write a CIDR block/],
    ['--cluster prod --label a=$(reboot)', /--label "a=\$\(reboot\)": write a value/],
    ['--cluster prod --label a=b\nc', /--label "a=b\\nc": write a value/],
    ["--cluster prod --label a'=b", /--label "a'=b": write a key/],
    ['--cluster prod --label node-role.kubernetes.io/worker=', /apply-node-template = true/],
    ['--cluster prod --taint a=b', /write a taint as KEY=VALUE:EFFECT/],
    ['--cluster prod --taint a=b:Never', /NoSchedule, PreferNoSchedule or NoExecute/],
    ['--cluster prod --kubelet-flag v=a\nb', /write it on one line/],
    ['--cluster prod --max-pods 0', /--max-pods/],
    ['--cluster prod --max-pods 9 --instance-type m5.large', /not both/],
    ['--cluster prod --instance-type m5', /write instance types/],
    ['--cluster prod --parameter drover/x', /--parameter: write the name of a parameter/],
    ['--cluster prod --cluster-dns 10.0.0', /--cluster-dns "10\.0\.0": write an IPv4 or IPv6 address/],
    ['--cluster prod --fetch-timeout 1s', /--fetch-timeout/],
    ['--cluster prod --dry-run', /belongs to --new-version-of/],
  ])('is refused, before anything is printed: %j', async (flags, message) => {
    const run = await userDataOf(`script --no-check ${flags}`);
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(message);
  });

  it('is an unknown flavour', async () => {
    expect(await userDataOf('eks-al2024')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('script, kubeadm, eks-al2023'),
    });
  });

  it('is user data of 16,385 bytes, until it is compressed', async () => {
    const padding = async (bytes: number): Promise<string> => {
      const length = bytes - Buffer.byteLength(await textOf('script', '--kubelet-flag x='));
      return `script --cluster prod --no-check --kubelet-flag x=${'a'.repeat(length)}`;
    };
    const fits = await userDataOf(await padding(16_384));
    expect([fits.exitCode, Buffer.byteLength(fits.stdout)]).toEqual([0, 16_384]);
    const line = await padding(16_385);
    expect(await userDataOf(line)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/has 16385 bytes, and EC2 takes 16384 before base64: give --gzip/),
    });
    const { stdout } = await userDataOf(`${line} --gzip`);
    expect(gunzipSync(Buffer.from(stdout, 'base64'))).toHaveLength(16_385);
  });

  it('is a flag before the subcommand that is meant', async () => {
    const { exitCode, stderr } = await userDataOf('--cluster prod etcd --domain a.example');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('give --cluster after etcd')]);
  });
});

describe('the user data of kubeadm', () => {
  const template = '/etc/kubernetes/drover-kubeadm.yaml';
  const documents = (text: string) => parseAllDocuments(fileIn(text, template)).map((one) => one.toJS());

  it('joins through a discovery file, under the name that EC2 gives', async () => {
    const text = await textOf('kubeadm', '--label a=b --taint c:NoExecute --max-pods 20 --kubelet-flag v=4');
    expect(documents(text)).toEqual([
      {
        apiVersion: 'kubeadm.k8s.io/v1beta4',
        kind: 'JoinConfiguration',
        discovery: { file: { kubeConfigPath: '/var/lib/drover-node/discovery.kubeconfig' } },
        nodeRegistration: {
          name: '@NODE_NAME@',
          taints: [{ key: 'c', value: '', effect: 'NoExecute' }],
          kubeletExtraArgs: [
            { name: 'provider-id', value: '@PROVIDER_ID@' },
            { name: 'node-labels', value: 'a=b' },
            { name: 'max-pods', value: '20' },
            { name: 'v', value: '4' },
          ],
        },
      },
    ]);
    expect(fileIn(text, '/usr/local/sbin/drover-node')).toContain("readonly pki_files=''\n");
  });

  it('is of v1beta3 before Kubernetes 1.31', async () => {
    const [document] = documents(await textOf('kubeadm', '--kubernetes-version 1.30'));
    expect(document).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      nodeRegistration: { kubeletExtraArgs: { 'provider-id': '@PROVIDER_ID@' } },
    });
  });

  it('founds a cluster on the certificates of drover pki, with etcd elsewhere', async () => {
    const text = await textOf('kubeadm', foundingFlags);
    const [init, cluster, kubelet] = documents(text);
    expect(init).toMatchObject({
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: '@ADDRESS@' },
    });
    expect(cluster).toMatchObject({
      kubernetesVersion: 'v1.34.4',
      controlPlaneEndpoint: 'api.example.com:6443',
      networking: { serviceSubnet: '10.96.0.0/12', podSubnet: '10.244.0.0/16' },
      etcd: { external: { endpoints: ['https://etcd.example.internal:2379'] } },
    });
    expect(kubelet).toMatchObject({ clusterDNS: ['10.96.0.10'], serverTLSBootstrap: true });
    const script = fileIn(text, '/usr/local/sbin/drover-node');
    expect(script).toMatch(/pki_files='ca\.crt ca\.key .*apiserver-etcd-client\.key'/);
    expect(script).not.toContain('front-proxy-ca.key');
  });

  it('joins a control plane with the keys that kubeadm looks for, and the credential of its role', async () => {
    const text = await textOf('kubeadm', '--role control-plane');
    expect(documents(text)[0]).toHaveProperty('controlPlane.localAPIEndpoint.advertiseAddress', '@ADDRESS@');
    const script = fileIn(text, '/usr/local/sbin/drover-node');
    expect(script).toContain('front-proxy-ca.key');
    expect(script).toContain("credential_parameter='/drover/prod/bootstrap-kubeconfig-control-plane'");
  });
});

describe('the user data of EKS', () => {
  it('on AL2023 is a NodeConfig in a part of MIME', async () => {
    const text = await textOf(
      'eks-al2023',
      '--label a=b --taint c=d:NoSchedule --max-pods 20 --kubelet-flag v=4',
    );
    const [head = '', config = '', cloudConfig = ''] = text.split('--==DROVER==');
    expect(head).toContain('multipart/mixed; boundary="==DROVER=="');
    expect(config).toMatch(/^\nContent-Type: application\/node\.eks\.aws\n\n---\n/);
    expect(parse(config.split('---\n')[1] ?? '')).toMatchObject({
      kind: 'NodeConfig',
      spec: {
        cluster: { name: 'prod', cidr: '172.20.0.0/16' },
        kubelet: {
          config: { maxPods: 20, registerWithTaints: [{ key: 'c', value: 'd', effect: 'NoSchedule' }] },
          flags: ['--node-labels=a=b', '--v=4'],
        },
      },
    });
    expect(cloudConfig).toContain('/etc/systemd/system/kubelet.service.d/50-drover-warm-pool.conf');
  });

  it('on AL2 calls bootstrap.sh', async () => {
    const text = await textOf('eks-al2', '--label a=b --max-pods 20');
    expect(text).toContain("/etc/eks/bootstrap.sh \\\n  'prod' \\\n  --b64-cluster-ca ");
    expect(text).toContain("--dns-cluster-ip '172.20.0.10' \\\n  --use-max-pods false \\\n");
    expect(text).toContain("--kubelet-extra-args '--max-pods=20 --node-labels=a=b'\n");
    expect(await textOf('eks-al2', '--service-cidr fd00::/108')).toContain(
      "--dns-cluster-ip 'fd00::a' \\\n  --ip-family ipv6 \\\n  --service-ipv6-cidr 'fd00::/108'",
    );
  });

  it('on Bottlerocket are settings', async () => {
    const text = await textOf(
      'bottlerocket',
      '--label a=b --taint c=d:NoSchedule --taint c=:NoExecute --max-pods 20',
    );
    for (const line of [
      '"cluster-name" = "prod"',
      '"cluster-dns-ip" = "172.20.0.10"',
      '"max-pods" = 20',
      '"a" = "b"',
      '"c" = ["d:NoSchedule",":NoExecute"]',
    ])
      expect(text).toContain(`\n${line}\n`);
  });
});

describe('the user data of OpenShift 3.11', () => {
  it('has what compute nodes need, in order', async () => {
    const text = await textOf(
      'openshift-3.11',
      '--node-service atomic-openshift-node --registry-parameter /drover/prod/registry',
    );
    expect(fileIn(text, '/root/openshift_bootstrap/openshift_settings.yaml')).toBe(
      'openshift_node_config_name: node-config-compute\n',
    );
    expect((parse(text) as CloudConfig).runcmd.map((words) => words.join(' '))).toEqual([
      'mkdir -p /etc/origin/cloudprovider',
      'touch /etc/origin/cloudprovider/aws.conf',
      '/usr/local/sbin/drover-node',
      expect.stringContaining('ansible-playbook'),
      'systemctl daemon-reload',
      'systemctl restart systemd-hostnamed',
      'systemctl restart NetworkManager',
      'systemctl enable atomic-openshift-node',
      'systemctl start --no-block atomic-openshift-node',
    ]);
    const script = fileIn(text, '/usr/local/sbin/drover-node');
    expect(script).toContain("credential_parameter='/drover/prod/node-bootstrapper-kubeconfig'");
    expect(script).toContain("registry_parameter='/drover/prod/registry'");
  });
});

describe('a launch template', () => {
  it.each([
    ['', ['UserData'], ['MetadataOptions', 'HttpTokens'], ['MetadataOptions', 'HttpPutResponseHopLimit']],
    [
      'cloudformation',
      ['Properties', 'LaunchTemplateData', 'UserData'],
      ['Properties', 'LaunchTemplateData', 'MetadataOptions', 'HttpTokens'],
      ['Properties', 'LaunchTemplateData', 'MetadataOptions', 'HttpPutResponseHopLimit'],
    ],
    [
      'terraform',
      ['resource', 'aws_launch_template', 'node', 'user_data'],
      ['resource', 'aws_launch_template', 'node', 'metadata_options', 'http_tokens'],
      ['resource', 'aws_launch_template', 'node', 'metadata_options', 'http_put_response_hop_limit'],
    ],
  ])(
    'has the user data, and version 2 of the metadata service, for %j',
    async (format, data, tokens, hops) => {
      const template = JSON.parse(await textOf('script', `--launch-template ${format}`));
      expect(template).toHaveProperty(data, Buffer.from(await textOf('script')).toString('base64'));
      expect(template).toHaveProperty(tokens, 'required');
      expect(template).toHaveProperty(hops, 1);
    },
  );
});
