import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeAccessEntries } from '../../../cli/doctor/checks/access-entries.ts';
import { judgeNodeRoles } from '../../../cli/doctor/checks/node-roles.ts';
import type { DoctorReport } from '../../../cli/doctor/report.ts';
import { onlyEc2 } from '../../../cli/doctor/trust-policy.ts';
import { addGroup, publishKubeconfig } from '../../../local/cloud/furnish.ts';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { awsAuth, mappingParameter, putParameter } from '../../../local/world/identity-world.ts';
import { operatorOf } from '../operator.ts';

const arnOf = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
const nodeEntry = (name: string) =>
  `- rolearn: ${arnOf(name)}\n  username: system:node:{{EC2PrivateDNSName}}\n  groups: [system:bootstrappers, system:nodes]\n`;
const personEntry = `- rolearn: ${arnOf('dev')}\n  username: dev\n`;

const putRole = ({ account }: DroverWorld, roleName: string, trustPolicy: unknown) =>
  account.iam.putRole({ roleName, policies: [], trustPolicy });

async function findingsOf(world: DroverWorld, check: string) {
  const { out } = await operatorOf(world)('doctor --json');
  return (JSON.parse(out) as DoctorReport).findings.filter((finding) => finding.check === check);
}

describe('drover doctor on the roles of nodes', () => {
  it('looks at what both sources make nodes, and at no other role', async () => {
    const world = createDroverWorld();
    putParameter(world, mappingParameter, `mapRoles:\n${nodeEntry('team/node')}${personEntry}`);
    awsAuth(world, { mapRoles: nodeEntry('open') + nodeEntry('gone') });
    putRole(world, 'node', JSON.parse(onlyEc2));
    putRole(world, 'open', {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'ec2.amazonaws.com', AWS: arnOf('ops') },
          Action: 'sts:AssumeRole',
        },
      ],
    });
    expect(await findingsOf(world, 'node-roles')).toMatchObject([
      { verdict: 'ok', subject: arnOf('team/node') },
      {
        verdict: 'fix',
        subject: arnOf('open'),
        message: expect.stringContaining(`AWS ${arnOf('ops')} may assume it`),
        command: `aws iam update-assume-role-policy --role-name open --policy-document '${onlyEc2}'`,
      },
      { verdict: 'advice', subject: arnOf('gone'), message: expect.stringContaining('no such role') },
    ]);
  });

  it('finds nothing if no entry makes a node', async () => {
    const world = createDroverWorld();
    putParameter(world, mappingParameter, `mapRoles:\n${personEntry}`);
    expect(await findingsOf(world, 'node-roles')).toMatchObject([{ verdict: 'ok', subject: 'mapping' }]);
  });

  it('says what of either source the webhook leaves out', async () => {
    const world = createDroverWorld();
    putParameter(world, mappingParameter, `mapRoles:\n${personEntry}- nonsense\n`);
    awsAuth(world, { mapUsers: '- userarn: [' });
    expect(await findingsOf(world, 'node-roles')).toMatchObject([
      {
        verdict: 'fix',
        subject: mappingParameter,
        message: expect.stringContaining('mapRoles[1]: it is not a map'),
      },
      {
        verdict: 'advice',
        subject: 'aws-auth',
        message: expect.stringContaining('mapUsers: it is not YAML'),
      },
    ]);
  });

  it('reports that an invalid parameter rejects everyone, and where its history is', async () => {
    const world = createDroverWorld();
    putParameter(world, mappingParameter, 'mapRoles: [');
    expect(await findingsOf(world, 'node-roles')).toMatchObject([
      {
        verdict: 'fix',
        subject: mappingParameter,
        message: expect.stringMatching(/whole mapping is invalid.*ten minutes.*it is not YAML/),
        command: `aws ssm get-parameter-history --with-decryption --name ${mappingParameter}`,
      },
    ]);
  });

  it('asks nothing about the role of another account', () => {
    const judge = (trust: Parameters<typeof judgeNodeRoles>[0]['roles'][number]['trust']) =>
      judgeNodeRoles({ roles: [{ arn: arnOf('x'), trust }], isConfigMapHidden: false, problems: [] });
    expect(judge({ kind: 'elsewhere' })).toMatchObject([
      { verdict: 'advice', message: expect.stringContaining('another account') },
    ]);
    expect(judge({ kind: 'policy', document: 'no policy' })).toMatchObject([{ verdict: 'unknown' }]);
  });

  it('says what it may not read in a cluster with an earlier deploy/rbac.yaml', async () => {
    const world = createDroverWorld({
      editRbac: (manifests) =>
        manifests.filter(({ metadata }) => !/identity-mapping|doctor/.test(metadata?.name ?? '')),
    });
    expect(await findingsOf(world, 'node-roles')).toMatchObject([{ verdict: 'advice', subject: 'aws-auth' }]);
    expect(await findingsOf(world, 'autoscaler')).toMatchObject([
      { verdict: 'advice', message: expect.stringContaining('may not list Deployments') },
    ]);
  });

  it('needs no other right of AWS than docs/cli.md names', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    putParameter(world, mappingParameter, `mapRoles:\n${nodeEntry('node')}`);
    putRole(world, 'node', JSON.parse(onlyEc2));
    const row =
      readFileSync('docs/cli.md', 'utf8')
        .split('\n')
        .find((line) => line.startsWith('| `doctor` |')) ?? '';
    const actions = [...row.matchAll(/`([a-z0-9]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const { out } = await operatorOf(world, { actions })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    expect(findings.filter(({ check }) => check === 'node-roles')).toMatchObject([
      { verdict: 'ok', subject: arnOf('node') },
    ]);
  });
});

describe('drover doctor on access entries of EKS', () => {
  /** Workers with a role, in a cluster whose API server has an address of EKS. */
  async function createEksWorld(authenticationMode: 'API' | 'CONFIG_MAP') {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1, instanceProfile: 'node' });
    putRole(world, 'node', JSON.parse(onlyEc2));
    world.account.eks.operations.CreateCluster({
      name: 'drover',
      roleArn: arnOf('eks'),
      resourcesVpcConfig: {},
      accessConfig: { authenticationMode },
    });
    publishKubeconfig(world, {
      parameterName: '/drover/drover/kubeconfig',
      server: 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com',
      token: world.kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] }),
    });
    return world;
  }

  it('says what lacks one, what has one of another type, and what is right', async () => {
    const world = await createEksWorld('API');
    const entries = () => findingsOf(world, 'access-entries');
    const { operations } = world.account.eks;
    const named = { clusterName: 'drover', principalArn: arnOf('node') };
    expect(await entries()).toMatchObject([
      {
        verdict: 'advice',
        subject: arnOf('node'),
        command: `aws eks create-access-entry --cluster-name drover --principal-arn ${arnOf('node')} --type EC2_LINUX`,
      },
    ]);
    operations.CreateAccessEntry(named);
    expect(await entries()).toMatchObject([{ verdict: 'fix', message: expect.stringContaining('STANDARD') }]);
    operations.DeleteAccessEntry(named);
    operations.CreateAccessEntry({ ...named, type: 'EC2_LINUX' });
    expect(await entries()).toMatchObject([{ verdict: 'ok', message: expect.stringContaining('EC2_LINUX') }]);
  });

  it('wants none for instances of etcd, which are no nodes', async () => {
    const world = await createEksWorld('API');
    addGroup(world, {
      autoScalingGroupName: 'etcd',
      clusterName,
      role: 'etcd',
      size: 1,
      instanceProfile: 'etcd',
    });
    putRole(world, 'etcd', JSON.parse(onlyEc2));
    await world.timeline.pass(60);
    expect(membersOf(world, 'etcd')).toHaveLength(1);
    const subjects = (await findingsOf(world, 'access-entries')).map(({ subject }) => subject);
    expect(subjects).toEqual([arnOf('node')]);
  });

  it('reports a cluster that does not use them as ok', async () => {
    expect(await findingsOf(await createEksWorld('CONFIG_MAP'), 'access-entries')).toMatchObject([
      { verdict: 'ok', message: expect.stringContaining('only the ConfigMap aws-auth') },
    ]);
    expect(await findingsOf(createDroverWorld(), 'access-entries')).toMatchObject([
      { verdict: 'ok', subject: 'eks' },
    ]);
    expect(judgeAccessEntries({ clusterName: 'prod', roles: [], types: new Map() })).toMatchObject([
      { verdict: 'ok', subject: 'prod' },
    ]);
  });
});

describe('drover doctor on cluster-autoscaler', () => {
  it('reads its Deployment in the cluster', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    expect(await findingsOf(world, 'autoscaler')).toMatchObject([{ verdict: 'ok' }]);
    const labels = { app: 'cluster-autoscaler' };
    const container = {
      name: 'cluster-autoscaler',
      image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.0',
      command: ['./cluster-autoscaler', '--nodes=1:10:workers'],
    };
    world.kubernetes.registry.create('deployments.apps', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cluster-autoscaler', namespace: 'kube-system' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    expect(await findingsOf(world, 'autoscaler')).toMatchObject([
      { verdict: 'fix', subject: 'workers', message: expect.stringContaining('--nodes=1:10:workers') },
    ]);
  });
});
