import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { explain } from '../../../../cli/user-data/explain/explain.ts';
import { ownFlags } from '../../../../cli/user-data/nodes/flavour.ts';
import { authority, userDataOf } from '../nodes/support.ts';

const bootstrap = (extra: string, flags = '') =>
  `#!/bin/bash\n/etc/eks/bootstrap.sh prod ${flags} --kubelet-extra-args '${extra}'\n`;
const nodeConfig = (spec: string) =>
  `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: {name: prod, apiServerEndpoint: "https://a.b", cidr: 10.100.0.0/16}\n${spec}`;
const verdict = (text: string) => explain(text).drover.join('\n');

/** The command as an operator pastes it, with words for its placeholders. */
function pasted(text: string) {
  const [, command = ''] =
    /^Drover’s flavour joins in the same way: drover user-data (.*)$/m.exec(verdict(text)) ?? [];
  return command
    .replace('ca.crt', authority)
    .replaceAll("'", '')
    .replace(/(?<=--service-cidr )CIDR/, '10.100.0.0/16')
    .replace(/(?<=--endpoint )URL/, 'https://api.example.com')
    .replace(/(?<=--cluster )NAME/, 'prod')
    .replace('VERSION', '1.31.2');
}

describe('the command for the same user data leaves out, and names', () => {
  it.each([
    [
      'a label with which a kubelet does not start',
      bootstrap('--node-labels=node-role.kubernetes.io/web=,a=b'),
      'label node-role.kubernetes.io/web=',
    ],
    ['a label that the script finds out', bootstrap('--node-labels=zone=$ZONE,a=b'), 'label zone=$ZONE'],
    ['a flag whose value is not shown', bootstrap('--seccomp-default=true'), 'kubelet --seccomp-default'],
    ['a flag that the flavour sets itself', bootstrap('--provider-id=aws:///a/i-1'), 'kubelet --provider-id'],
    [
      'a flag of bootstrap.sh',
      bootstrap('', "--docker-config-json '{}' --ip-family ipv4"),
      'leaves out: --docker-config-json.',
    ],
    ['a table that is not used', bootstrap('', '--use-max-pods false'), 'leaves out: --use-max-pods.'],
    [
      'fields of the kubelet',
      nodeConfig('  kubelet: {config: {maxPods: 9, evictionHard: {a: b}}}\n'),
      'leaves out: kubelet.config.evictionHard.',
    ],
    [
      'what nodeadm does with disks',
      nodeConfig('  instance: {localStorage: {strategy: RAID0}}\n'),
      'leaves out: instance.localStorage.',
    ],
    [
      'settings of Bottlerocket',
      '[settings.kubernetes]\ncluster-name = "prod"\n[settings.ntp]\ntime-servers = ["a"]\n',
      'leaves out: ntp.time-servers.',
    ],
  ])('%s', (_, text, left) => expect(verdict(text)).toContain(left));

  it('nothing of one that has flags for all of it', () => {
    const text = bootstrap(
      '--node-labels=a=b --max-pods=20',
      '--use-max-pods false --dns-cluster-ip 10.100.0.10',
    );
    expect(verdict(text)).not.toContain('leaves out');
  });
});

test('an instance of Bottlerocket that says nothing about Kubernetes does not join', () => {
  expect(explain('[settings.host-containers.admin]\nenabled = true\n').joins).toEqual([]);
});

test('Bottlerocket with a bootstrap token does not join with the role of the instance', () => {
  const text =
    '[settings.kubernetes]\napi-server = "https://a.b"\nbootstrap-token = "abcdef.0123456789abcdef"\n';
  expect(verdict(text)).toMatch(/^It joins with a bootstrap token, outside EKS/);
});

it.each([
  ['for Windows', '<powershell>\nStart-Service kubelet\n</powershell>\n'],
  ['in an archive of cloud-config', '#cloud-config-archive\n- content: "#!/bin/sh"\n'],
  ['in Python', '#!/usr/bin/python3\nprint("a")\n'],
  ['at an address', '#include\nhttps://example.com/user-data\n'],
])('whether a user data %s joins is not known, and is not denied', (_, text) => {
  expect(verdict(text)).toMatch(/^Whether it makes the machine a node is not known: /);
});

it('a credential of another program is not said to leave the user data', () => {
  const docker = 'docker login -u a -p aPasswordOfMine r.example.com';
  expect(verdict(`${bootstrap('--v=2')}${docker}\n`)).toContain('Drover does not move these credentials');
  expect(verdict(`#!/bin/sh\nkubeadm join a:6443 --token abcdef.0123456789abcdef\n${docker}\n`)).toContain(
    'The credential of the join would leave the user data',
  );
});

const odd = fc.constantFrom(
  'a=b',
  'a=',
  'a',
  'a=$X',
  'A.b/c=d',
  'node-role.kubernetes.io/x=',
  'a=c',
  'drover.dev/x=y',
  'a=b=c',
  '=',
  'x=`id`',
  'kubernetes.io/os=linux',
);
const taint = fc.constantFrom(
  'a=b:NoSchedule',
  'a:NoSchedule',
  'a=:NoExecute',
  'a=b',
  'a=$X:NoSchedule',
  'a=b:noschedule',
  ':',
);
const flag = fc.constantFrom(
  'v=2',
  'v=3',
  'provider-id=x',
  'max-pods=20',
  'max-pods=$N',
  'max-pods=0',
  'what-is-it=3',
  'eviction-hard=memory.available<5%',
  'cluster-dns=10.100.0.10',
  'container-runtime=remote',
  'config=/a',
  'feature-gates=A=true',
);

test('the command can be pasted, whatever the flags of the kubelet are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(odd, { maxLength: 4 }),
      fc.array(taint, { maxLength: 3 }),
      fc.array(flag, { maxLength: 3 }),
      async (labels, taints, flags) => {
        const extra = [
          `--node-labels=${labels.join(',')}`,
          `--register-with-taints=${taints.join(',')}`,
          ...flags.map((one) => `--${one}`),
        ].join(' ');
        const { stdout, stderr } = await userDataOf(`${pasted(bootstrap(extra))} --no-check`);
        expect([stderr, stdout]).toEqual(['', expect.stringContaining('/etc/eks/bootstrap.sh')]);
      },
    ),
    { numRuns: 40 },
  );
});

test('flags that a flavour sets itself are never in the command', () => {
  for (const name of ownFlags)
    expect(verdict(bootstrap(`--${name}=x=y:NoSchedule`))).not.toContain(`--kubelet-flag ${name}`);
});
