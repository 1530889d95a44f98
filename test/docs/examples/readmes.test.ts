import { readFileSync } from 'node:fs';
import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, test } from 'vitest';
import { runDrover } from '../../cli/run-drover.ts';
import { exampleResources, ofType, type Resource } from './example-template.ts';

const commandsOf = (example: string): readonly string[] =>
  readFileSync(`examples/${example}/README.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('drover user-data '))
    .map((line) => line.replace(/ +#.*$/, ''));

/** An authority as EKS returns it. */
const authority = readFileSync('local/world/tls/certificate.pem').toString('base64');

/** A command without what it does to AWS and to files, and with what a shell would have put in it. */
const printing = (command: string): string =>
  command
    .replace(/^drover /, '')
    .replace(/ > \S+/, '')
    .replace(/ --new-version-of \S+/, '')
    .replace(/"\$\([^)]*\)"/, 'https://ABC.gr7.eu-west-1.eks.amazonaws.com')
    .replace('ca.crt', authority)
    .replace(/ --no-check/, '')
    .replace(/^(user-data (?:kubeadm|openshift-3.11) .*)$/, '$1 --no-check');

/** The parameters that a script names, with the files of a prefix. */
function namesIn(text: string): readonly string[] {
  const whole = [...text.matchAll(/'(\/drover\/prod\/[\w./-]+)'/g)].map(([, name = '']) => name);
  const [, files] = /pki_files='([^']+)'/.exec(text) ?? [];
  return whole.flatMap((name) =>
    name.endsWith('/pki') ? (files?.split(' ').map((file) => `${name}/${file}`) ?? []) : [name],
  );
}

function readableBy(resources: Readonly<Record<string, Resource>>, role: string): readonly string[] {
  const [, resource] = ofType(resources, 'AWS::IAM::Role').find(([name]) => name === role) ?? [];
  const policies = (resource?.Properties['Policies'] ?? []) as readonly {
    readonly PolicyDocument: {
      readonly Statement: readonly { readonly Sid: string; readonly Resource: readonly string[] }[];
    };
  }[];
  const [policy] = policies;
  const statement = policy?.PolicyDocument.Statement.find(({ Sid }) => Sid === 'ReadParameters');
  return (statement?.Resource ?? []).map((arn) => arn.replace(/^.*:parameter/, ''));
}

const run = (command: string) =>
  runDrover(printing(command), {
    environment: { AWS_REGION: 'eu-west-1' },
    clock: createVirtualClock(),
    pause: () => Promise.reject(new Error('nothing waits')),
    sendHttp: () => Promise.reject(new Error('nothing is sent')),
  });

describe('each user-data command of a README is taken', () => {
  test.each(['kubeadm', 'eks', 'openshift-3.11'])('%s', async (example) => {
    const commands = commandsOf(example);
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await run(command);
      expect(exitCode, `${command}\n${stderr}`).toBe(0);
      expect(stdout.length).toBeGreaterThan(200);
    }
  });
});

describe('a role may read what its user data reads, and nothing else', () => {
  const cases = [
    ['kubeadm', 'kubeadm/cloudformation/cluster.yml', 'WorkersRole', /kubeadm --cluster prod --kubernetes/],
    [
      'kubeadm',
      'kubeadm/cloudformation/cluster.yml',
      'ControlPlaneRole',
      /--role control-plane --kubernetes/,
    ],
    ['openshift-3.11', 'openshift-3.11/cloudformation/groups.yml', 'ComputeRole', /node-config-compute/],
    ['openshift-3.11', 'openshift-3.11/cloudformation/groups.yml', 'InfraRole', /node-config-infra/],
  ] as const;

  test.each(cases)('%s: %s %s', async (example, file, role, pattern) => {
    const command = commandsOf(example).find((one) => pattern.test(one)) ?? '';
    const { stdout } = await run(command);
    const resources = exampleResources(file, { ClusterName: 'prod' });
    expect(readableBy(resources, role).toSorted()).toEqual([...new Set(namesIn(stdout))].toSorted());
  });

  test('members of etcd read what they start as, and their certificates', async () => {
    const { stdout } = await run(commandsOf('kubeadm')[0] ?? '');
    const resources = exampleResources('kubeadm/cloudformation/cluster.yml', { ClusterName: 'prod' });
    for (const name of readableBy(resources, 'EtcdRole')) {
      const last = name.split('/').at(-1) ?? '';
      expect(stdout, name).toContain(last === '*' ? '/drover/prod/etcd/members' : last.replace(/\.\w+$/, ''));
    }
  });
});
