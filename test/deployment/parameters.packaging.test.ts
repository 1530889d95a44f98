import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { copyDeployment, type DeploymentCopy } from '../support/osls.ts';

interface Rule {
  readonly Description: string;
  readonly IpProtocol: string;
  readonly FromPort: number;
  readonly ToPort: number;
  readonly CidrIp: string;
}
interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: string;
        readonly Properties: {
          readonly GroupDescription: string;
          readonly SecurityGroupEgress: readonly Rule[];
        };
      }
    >
  >;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

let copy: DeploymentCopy;
beforeAll(async () => {
  copy = await copyDeployment();
});
afterAll(() => copy[Symbol.asyncDispose]());

const place = { accountId: '123456789012', region: 'eu-west-1' };
const privateNetwork = 'network: private\nvpcId: vpc-1\nsubnetA: subnet-1\nsubnetB: subnet-2\n';

const securityGroups = ({ Resources }: Template) =>
  Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::EC2::SecurityGroup' ? [Properties] : [],
  );

const packageStage = async (yaml: string): Promise<Template> => (await copy.packageStage(yaml)) as Template;

test('deploy/stages/default.yml lists the parameters that the deployment reads, and no other', () => {
  const files = globSync(['serverless.yml', 'deploy/**/*.{yml,cjs}']).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const read = files.flatMap((text) => [...text.matchAll(/\bparam:(\w+)/g)].map(([, name]) => name));
  const listed = parse(readFileSync('deploy/stages/default.yml', 'utf8')) as object;
  expect(new Set(Object.keys(listed))).toEqual(new Set(read));
});

describe('a stage', () => {
  test('without a file is refused, and the refusal says what to write', async () => {
    const { code, output } = await copy.run(['package', '--stage', 'none', '--param', 'cluster=none']);
    expect(code).toBe(1);
    expect(output).toContain('Stage none has no parameters. Write them into deploy/stages/none.yml');
  });

  test('gives each need its own kubeconfig, and each role the right to read only those that it needs', async () => {
    const { Resources } = await packageStage(
      'cluster: prod\nreaderKubeconfigParameter: /own/reader\ncredentialsKubeconfigParameter: /own/credentials\ncertificatesKubeconfigParameter: /own/certificates\nplannerKubeconfigParameter: /own/planner\nrollerKubeconfigParameter: /own/roller\npodHolds: on\nrolls: on\n',
    );
    const inAll = (pattern: RegExp): readonly string[] =>
      Object.entries(Resources).flatMap(([name, { Type, ...rest }]) =>
        /Function$|Role$/.test(Type) && pattern.test(JSON.stringify(rest)) ? [name] : [],
      );
    expect(inAll(/\/own\/reader/).toSorted()).toEqual([
      'ScaleApiRole',
      'ScaleDashapiLambdaFunction',
      'SweepLambdaFunction',
      'SweepRole',
    ]);
    expect(inAll(/\/own\/credentials/).toSorted()).toEqual([
      'BootstrapCredentialRole',
      'BootstrapDashcredentialLambdaFunction',
    ]);
    expect(inAll(/\/own\/certificates/).toSorted()).toEqual([
      'CertificateDashrequestsLambdaFunction',
      'CertificateRequestsRole',
      'NodeDashjoiningLambdaFunction',
      'NodeJoiningRole',
    ]);
    expect(inAll(/\/own\/planner/).toSorted()).toEqual(['PrewarmLambdaFunction', 'PrewarmRole']);
    expect(inAll(/\/own\/roller/).toSorted()).toEqual(['RollLambdaFunction', 'RollRole']);
    expect(inAll(/\/drover\/prod\/kubeconfig/).toSorted()).toEqual([
      'NodeDashjoiningLambdaFunction',
      'NodeDashleavingLambdaFunction',
      'NodeJoiningRole',
      'NodeLeavingRole',
    ]);
  });

  test.each([
    ['worker', ['/own', '/own-tokens']],
    ['worker,control-plane', ['/own', '/own-tokens', '/own-control-plane', '/own-control-plane-tokens']],
  ])('with bootstrapRoles %s lets bootstrap-credential write %j', async (roles, names) => {
    const { Resources } = await packageStage(
      `cluster: prod\nbootstrapParameter: /own\nbootstrapRoles: ${roles}\n`,
    );
    const arns = names.map((name) => ({
      'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${name}`,
    }));
    expect(Resources['BootstrapCredentialRole']?.Properties).toMatchObject({
      Policies: [
        {
          PolicyDocument: {
            Statement: expect.arrayContaining([
              expect.objectContaining({ Sid: 'PublishCredential', Resource: arns }),
              expect.objectContaining({
                Sid: 'EncryptCredential',
                Condition: {
                  StringEquals: expect.objectContaining({ 'kms:EncryptionContext:PARAMETER_ARN': arns }),
                },
              }),
            ]),
          },
        },
      ],
    });
  });

  test('without a cluster is refused: there is no default', async () => {
    await copy.writeStage('nameless', 'network: outside\n');
    const { code, output } = await copy.run(['package', '--stage', 'nameless']);
    expect(code).toBe(1);
    expect(output).toContain('deploy/stages/nameless.yml names no cluster');
  });

  test('with a parameter that does not exist is refused', async () => {
    await copy.writeStage('misspelt', 'cluster: prod\nnetwrok: private\n');
    const { code, output } = await copy.run(['package', '--stage', 'misspelt']);
    expect(code).toBe(1);
    expect(output).toContain('There is no parameter netwrok');
  });

  test('with values that cannot work is refused: each is named, with what is allowed', async () => {
    const settings = [
      'cluster: prod',
      'network: private\nvpcId: vpc-1',
      'bootstrap: of',
      'certificates: yes',
      'kubeconfigParameter: prod/kubeconfig',
      'certificatesKubeconfigParameter: prod/certificates',
      'apiServerPort: https',
      'etcdDomain: etcd.example.internal',
    ];
    await copy.writeStage('impossible', settings.join('\n'));
    const { code, output } = await copy.run(['package', '--stage', 'impossible']);
    expect(code).toBe(1);
    expect(output.split('\n').filter((line) => line.startsWith('    '))).toEqual([
      '    bootstrap is of: it takes on or off',
      '    certificates is yes: it takes on or off',
      '    kubeconfigParameter is prod/kubeconfig: it begins with a slash',
      '    certificatesKubeconfigParameter is prod/certificates: it begins with a slash',
      '    subnetA is missing: network: private needs it',
      '    subnetB is missing: network: private needs it',
      '    etcdZoneId is missing: etcdDomain needs it',
      '    etcdSnapshots is missing: etcdMode: members needs it',
      '    apiServerPort is https: it takes a port',
    ]);
  });

  test.each([
    ['has no colon', 'cluster prod\n', 'has to consist of lines such as `cluster: prod`'],
    ['has a name twice', 'cluster: prod\ncluster: test\n', 'Map keys must be unique at line 2'],
  ])('whose file %s is refused in a sentence', async (_, yaml, sentence) => {
    await copy.writeStage('unreadable', yaml);
    const { code, output } = await copy.run(['package', '--stage', 'unreadable']);
    expect(code).toBe(1);
    expect(output).toContain('deploy/stages/unreadable.yml');
    expect(output).toContain(sentence);
    expect(output).not.toMatch(/^\s+at /m);
  });

  test('with values that a function would refuse is refused: each is named, with what is allowed', async () => {
    const snapshots = 'etcdSnapshots: s3://snapshots/prod\netcdSnapshotBucketOwner: 012345678901\n';
    const etcd = `etcdDomain: etcd.example.internal\netcdZoneId: Z0123456789\n${snapshots}`;
    await copy.writeStage(
      'mistyped',
      `cluster: prod\ndrainTimeout: 30 minutes\nonFailure: continue\n${etcd}`,
    );
    const { code, output } = await copy.run(['package', '--stage', 'mistyped']);
    expect(code).toBe(1);
    expect(output).toContain('DROVER_DRAIN_TIMEOUT is 30 minutes: it takes a duration from 30s to 2d');
    expect(output).toContain('DROVER_ON_FAILURE is continue: it takes CONTINUE or ABANDON');
    // YAML reads a number without its first zero.
    expect(output).toContain('DROVER_ETCD_SNAPSHOT_BUCKET_OWNER is 12345678901: it takes the id');
    expect(output).toContain('Correct them in deploy/stages/mistyped.yml');
    expect(output).not.toMatch(/^\s+at /m);
  });
});

describe('without the bootstrap credential, certificates, notifications and the scale API, and with an API server on 443', () => {
  const settings = `cluster: prod\nbootstrap: off\ncertificates: off\nnotifications: off\nscaleApi: off\napiServerPort: '443'\n${privateNetwork}`;
  let template: Template;
  beforeAll(async () => {
    template = await packageStage(settings);
  });

  test('none leaves a function, role, rule, alarm or route', async () => {
    const left = Object.keys(template.Resources).filter((name) =>
      /bootstrap|certificate|notificationsFailed|scale.*api|httpapi/i.test(name),
    );
    expect(left).toEqual([]);
    const wiring = await loadDeployment({ ...place, directory: join(copy.directory, '.serverless') });
    expect(wiring.routes).toEqual([]);
    expect(wiring.functions.map(({ name }) => name).sort()).toEqual([
      'etcd-membership',
      'etcd-snapshot',
      'heartbeats',
      'intake',
      'node-joining',
      'node-leaving',
      'prewarm',
      'sweep',
    ]);
    expect(JSON.stringify(wiring.alarms)).not.toContain('ootstrap');
  });

  test('no security group has the same egress rule twice', () => {
    const groups = securityGroups(template);
    expect(groups).toHaveLength(2);
    for (const { SecurityGroupEgress } of groups) {
      const rules = SecurityGroupEgress.map(({ IpProtocol, FromPort, ToPort, CidrIp }) =>
        [IpProtocol, FromPort, ToPort, CidrIp].join(' '),
      );
      expect(rules).toContain('tcp 443 443 0.0.0.0/0');
      expect(new Set(rules).size).toBe(rules.length);
    }
  });

  // CreateSecurityGroup, GroupDescription, and IpRange, Description: "a-z, A-Z, 0-9, spaces, and ._-:/()#,@[]+=&;{}!$*".
  test('descriptions of security groups have only characters that EC2 allows', () => {
    for (const { GroupDescription, SecurityGroupEgress } of securityGroups(template))
      for (const text of [GroupDescription, ...SecurityGroupEgress.map(({ Description }) => Description)])
        expect(text).toMatch(/^[a-zA-Z0-9 ._:/()#,@[\]+=&;{}!$*-]{1,255}$/);
  });

  test('the security groups are outputs', () => {
    for (const group of ['ClusterClientSecurityGroup', 'EtcdClientSecurityGroup'])
      expect(template.Outputs[`${group}Id`]?.Value).toEqual({ 'Fn::GetAtt': [group, 'GroupId'] });
  });
});

describe('the functions of passes', () => {
  const typed = (template: Template, type: string) =>
    Object.values(template.Resources).filter(({ Type }) => Type === type) as unknown as readonly {
      readonly Properties: Readonly<Record<string, unknown>>;
    }[];
  const reservationsOf = (template: Template) =>
    new Map(
      typed(template, 'AWS::Lambda::Function').map(({ Properties }) => [
        String(Properties['FunctionName']).replace(/^drover-[^-]+-/, ''),
        Properties['ReservedConcurrentExecutions'],
      ]),
    );

  test('reserve nothing by default, because a new account has nothing to reserve', async () => {
    const template = await packageStage('cluster: prod\n');
    expect([...reservationsOf(template).values()].filter((value) => value !== undefined)).toEqual([]);
  });

  test('have concurrency of their own by passConcurrency, as much as their queues use', async () => {
    const template = await packageStage('cluster: prod\npassConcurrency: 30\ntokenWebhook: on\n');
    const {
      'token-webhook': webhook,
      'scale-api': api,
      ...passes
    } = Object.fromEntries(reservationsOf(template));
    expect([webhook, api]).toEqual([undefined, undefined]);
    expect(Object.values(passes)).not.toContain(undefined);
    expect(Object.values(passes).reduce((sum: number, value) => sum + Number(value), 0)).toBe(2 * 30 + 20);
    for (const { Properties } of typed(template, 'AWS::Lambda::EventSourceMapping')) {
      const { MaximumConcurrency } = Properties['ScalingConfig'] as { readonly MaximumConcurrency: number };
      const {
        'Fn::GetAtt': [logicalId],
      } = Properties['FunctionName'] as { readonly 'Fn::GetAtt': [string] };
      const called = template.Resources[logicalId]?.Properties as unknown as Readonly<
        Record<string, unknown>
      >;
      expect(MaximumConcurrency, logicalId).toBeLessThanOrEqual(
        Number(called['ReservedConcurrentExecutions']),
      );
    }
  });

  test.each([0, 1, 1001, 'true'])('are not deployed with passConcurrency: %s', async (value) => {
    await copy.writeStage('mistaken', `cluster: prod\npassConcurrency: ${value}\n`);
    const { code, output } = await copy.run(['package', '--stage', 'mistaken']);
    expect(code).toBe(1);
    expect(output).toContain(`passConcurrency is ${value}: it takes unreserved, or a number from 2 to 1000`);
  });
});

describe('the token webhook', () => {
  const functionOf = ({ Resources }: Template) =>
    Resources['TokenDashwebhookLambdaFunction']?.Properties as unknown as Readonly<Record<string, unknown>>;

  test('by default shares the concurrency of the account, stays out of the VPC and reads no kubeconfig', async () => {
    const template = await packageStage(`cluster: prod\ntokenWebhook: on\n${privateNetwork}`);
    expect(functionOf(template)).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(functionOf(template)).not.toHaveProperty('VpcConfig');
    expect(JSON.stringify(template.Resources['TokenWebhookRole'])).not.toContain('kubeconfig');
  });

  test('has concurrency of its own, and a place in the VPC for the ConfigMap, by parameters', async () => {
    const settings = 'tokenWebhook: on\ntokenWebhookConcurrency: 20\nidentityConfigMap: limited\n';
    const template = await packageStage(`cluster: prod\n${settings}${privateNetwork}`);
    expect(functionOf(template)).toMatchObject({
      ReservedConcurrentExecutions: 20,
      VpcConfig: { SubnetIds: ['subnet-1', 'subnet-2'] },
      Environment: { Variables: { DROVER_IDENTITY_CONFIG_MAP: 'limited' } },
    });
    expect(template.Resources['TokenWebhookNetworkPolicy']?.Properties).toMatchObject({
      Roles: [{ Ref: 'TokenWebhookRole' }],
    });
    expect(JSON.stringify(template.Resources['TokenWebhookRole'])).toContain('/drover/prod/kubeconfig');
  });

  test('with values that cannot work is refused', async () => {
    await copy.writeStage(
      'mistaken',
      'cluster: prod\ntokenWebhook: on\ntokenWebhookConcurrency: 0\nidentityConfigMap: on\n',
    );
    const { code, output } = await copy.run(['package', '--stage', 'mistaken']);
    expect(code).toBe(1);
    expect(output).toContain('tokenWebhookConcurrency is 0: it takes unreserved, or a number from 1 to 9999');
    expect(output).toContain('identityConfigMap is on: it takes off or limited or trusted');
  });

  test.each(['c'.repeat(58), 'prod*', '"a b"'])('with the cluster %s is refused', async (cluster) => {
    await copy.writeStage('mistaken', `cluster: ${cluster}\n`);
    const { code, output } = await copy.run(['package', '--stage', 'mistaken']);
    expect(code).toBe(1);
    expect(output).toContain('it takes at most 57 letters, digits, dots, dashes and underscores');
  });
});

test('an API server on 443 of its own network has a rule of its own', async () => {
  const { Resources } = await packageStage(
    `cluster: prod\napiServerPort: 443\napiServerCidr: 10.0.0.0/16\n${privateNetwork}`,
  );
  const rules = Resources.ClusterClientSecurityGroup?.Properties.SecurityGroupEgress;
  expect(rules?.map(({ FromPort, CidrIp }) => `${FromPort} ${CidrIp}`)).toEqual([
    '443 0.0.0.0/0',
    '443 10.0.0.0/16',
  ]);
});
