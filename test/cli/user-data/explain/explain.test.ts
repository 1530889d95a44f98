import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { explain } from '../../../../cli/user-data/explain/explain.ts';
import { authority, textOf } from '../nodes/support.ts';

const factsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    explain(text).parts.flatMap(({ facts }) => facts.map(({ what, value }) => [what, value] as const)),
  );

/** As EKS wrote it for Amazon Linux 2, which a reader decodes by hand today. */
const bootstrap = `#!/bin/bash
set -ex
B64_CLUSTER_CA=${authority}
API_SERVER_URL=https://ABC.gr7.eu-west-1.eks.amazonaws.com
K8S_CLUSTER_DNS_IP=10.100.0.10
/etc/eks/bootstrap.sh prod --kubelet-extra-args '--node-labels=team=web,tier=b --max-pods=29' \\
  --b64-cluster-ca $B64_CLUSTER_CA --apiserver-endpoint "\${API_SERVER_URL}" --dns-cluster-ip=$K8S_CLUSTER_DNS_IP --use-max-pods false
`;

const archive = (...parts: readonly string[]): string =>
  `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n${parts.map((part) => `--//\n${part}\n`).join('')}--//--\n`;

const nodeConfig = `Content-Type: application/node.eks.aws

---
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: prod
    apiServerEndpoint: https://ABC.gr7.eu-west-1.eks.amazonaws.com
    certificateAuthority: ${authority}
    cidr: 172.20.0.0/16
`;

describe('a script with bootstrap.sh', () => {
  it('is explained flag by flag, with the values of its variables', () => {
    expect(factsOf(bootstrap)).toMatchObject({
      'line 6: /etc/eks/bootstrap.sh': 'prod',
      '--apiserver-endpoint': 'https://ABC.gr7.eu-west-1.eks.amazonaws.com',
      '--dns-cluster-ip': '10.100.0.10',
      '--use-max-pods': 'false',
      'kubelet --max-pods': '29',
      'kubelet --node-labels': 'team=web,tier=b',
    });
    expect(factsOf(bootstrap)['--b64-cluster-ca']).toMatch(/^\(certificate of .*, valid until \d{4}-/);
  });

  it('needs no change for leaving nodes, and has a flavour that does the same', () => {
    const { drover, faults } = explain(bootstrap);
    expect(faults).toEqual([]);
    expect(drover.join('\n')).toContain(
      'drover user-data eks-al2 --cluster prod --endpoint https://ABC.gr7.eu-west-1.eks.amazonaws.com --certificate-authority ca.crt --service-cidr CIDR --kubernetes-version VERSION --cluster-dns 10.100.0.10 --max-pods 29 --label team=web --label tier=b',
    );
  });

  it.each([
    [
      'a label that the kubelet refuses',
      '--node-labels=node-role.kubernetes.io/worker=',
      'does not start with this label',
    ],
    [
      'a flag that kubelets have no longer',
      '--container-runtime=remote',
      'no --container-runtime from Kubernetes 1.27',
    ],
    [
      'the cloud provider in the tree',
      '--cloud-provider=aws',
      'no --cloud-provider=aws from Kubernetes 1.27',
    ],
  ])('has the fault of %s', (_, flag, fault) => {
    const text = `#!/bin/sh\n/etc/eks/bootstrap.sh prod --use-max-pods false --kubelet-extra-args '${flag}'\n`;
    expect(explain(text).faults.join()).toContain(fault);
  });
});

describe('what readers of the field were hurt by', () => {
  test.each([
    // awslabs/amazon-eks-ami#2318
    [
      'no empty line before a script',
      archive('Content-Type: text/x-shellscript; charset="us-ascii"\n#!/bin/bash\nset -ex\n'),
      'no empty line between the headers of a part',
    ],
    // awslabs/amazon-eks-ami#1701, aws/karpenter-provider-aws#2098
    [
      'no empty line before the first boundary',
      archive(nodeConfig).replace('boundary="//"\n\n', 'boundary="//"\n'),
      'no empty line between the headers of the archive',
    ],
    // awslabs/amazon-eks-ami#1701
    [
      'bootstrap.sh and a NodeConfig',
      archive(`Content-Type: text/x-shellscript\n\n${bootstrap}`, nodeConfig),
      'in more than one way (bootstrap.sh, nodeadm)',
    ],
    // awslabs/amazon-eks-ami#1734
    [
      'a compressed NodeConfig',
      gzipSync(archive(nodeConfig)).toString('base64'),
      'not every version of nodeadm unpacks it',
    ],
    // terraform-aws-modules/terraform-aws-eks#2093
    [
      'a script without a shell',
      archive('Content-Type: text/x-shellscript\n\nexport USE_MAX_PODS=false\n'),
      'Exec format error',
    ],
    // terraform-aws-modules/terraform-aws-eks#3503
    [
      'commands without a first line',
      'set -ex\n/etc/eks/bootstrap.sh prod\n',
      'cloud-init does not know it by its first line',
    ],
    ['an empty line before #!', '\n#!/bin/bash\n/etc/eks/bootstrap.sh prod\n', 'text precedes #!'],
    [
      'base64 twice',
      Buffer.from(Buffer.from(bootstrap).toString('base64')).toString('base64'),
      'in base64 twice',
    ],
    [
      'a cloud-config with a tab',
      '#cloud-config\nruncmd:\n\t- [true]\n',
      'cloud-init then ignores the whole cloud-config',
    ],
    ['Ignition that is cut', '{"ignition": {"version": "3.4.0"', 'the machine does not boot'],
    ['TOML that is cut', '[settings.kubernetes]\ncluster-name = "prod\n', 'it is not TOML'],
    ['more than EC2 takes', `#!/bin/sh\n${': x\n'.repeat(6000)}`, 'EC2 takes 16384'],
  ])('%s is a fault', (_, text, fault) => {
    expect(explain(text).faults.join('\n')).toContain(fault);
  });
});

describe('the same user data', () => {
  const reference = explain(bootstrap);
  const encoded = Buffer.from(bootstrap).toString('base64');
  it.each([
    ['in base64', encoded],
    ['in base64 with line breaks', encoded.replaceAll(/.{60}/g, '$&\n')],
    ['compressed', gzipSync(bootstrap).toString('base64')],
    [
      'as describe-instance-attribute has it',
      JSON.stringify({ InstanceId: 'i-1', UserData: { Value: encoded } }),
    ],
    [
      'as describe-launch-template-versions has it',
      JSON.stringify({ LaunchTemplateVersions: [{ LaunchTemplateData: { UserData: encoded } }] }),
    ],
    ['with line breaks of Windows', bootstrap.replaceAll('\n', '\r\n')],
    [
      'as a part in base64',
      archive(`Content-Transfer-Encoding: base64\nContent-Type: text/x-shellscript\n\n${encoded}`),
    ],
  ])('is explained alike %s', (_, text) => {
    const { joins, credentials, faults } = explain(text);
    expect({ joins, credentials, faults }).toEqual({ joins: reference.joins, credentials: [], faults: [] });
  });
});

describe('what Drover makes', () => {
  it.each(['script', 'kubeadm', 'flatcar', 'fedora-coreos', 'openshift-3.11'])(
    'is recognized, of %s',
    async (flavour) => {
      const { joins, faults, credentials } = explain(await textOf(flavour));
      expect({ ways: [...new Set(joins.map(({ by }) => by))], faults, credentials }).toEqual({
        ways: ['Drover'],
        faults: [],
        credentials: [],
      });
    },
  );

  it.each(['eks-al2', 'eks-al2023', 'bottlerocket'])(
    'of %s is explained with the flags that made it',
    async (flavour) => {
      const flags = '--label team=web --taint dedicated=web:NoSchedule --max-pods 29';
      const { drover, faults } = explain(await textOf(flavour, flags));
      expect(faults).toEqual([]);
      const [, command = ''] =
        /Drover’s flavour joins in the same way: drover user-data (.*)/.exec(drover.join('\n')) ?? [];
      const again = command
        .replace('ca.crt', authority)
        .replace('CIDR', '172.20.0.0/16')
        .replace('VERSION', '1.32');
      const { userDataOf } = await import('../nodes/support.ts');
      const first = await textOf(flavour, flags);
      const { stdout } = await userDataOf(`${again} --no-check`);
      expect(explain(stdout).joins).toEqual(explain(first).joins);
    },
  );
});

test('an empty user data says that the image decides', () => {
  expect(explain('')).toMatchObject({ parts: [], joins: [], faults: [] });
});

test('aliases of YAML cannot make it large', () => {
  const lines = [
    'a0: &a0 [x, x]',
    ...Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`),
  ];
  expect(explain(`#cloud-config\n${lines.join('\n')}\n`).faults.join()).toContain('cannot be read');
});

describe('what is compressed is read', () => {
  const join = '#!/bin/sh\n/etc/eks/bootstrap.sh prod\n';
  const packed = gzipSync(join).toString('base64');
  const part = (type: string) =>
    archive(`Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${packed}`);
  it.each([
    [
      'a file of cloud-config',
      `#cloud-config\nwrite_files: [{path: /a, encoding: gz+base64, content: ${packed}}]\n`,
    ],
    ['a part that says so', part('application/gzip')],
    ['a part that does not', part('text/x-shellscript')],
  ])('in %s', (_, text) =>
    expect(explain(text).joins).toMatchObject([{ by: 'bootstrap.sh', cluster: 'prod' }]),
  );

  it('and named, if cloud-init does not unpack it', () => {
    expect(explain(part('application/gzip')).faults).toEqual([]);
    expect(explain(part('text/x-shellscript')).faults[0]).toContain('cloud-init does not unpack it');
  });
});
