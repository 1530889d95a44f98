import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { pseudoParameters } from '../../../local/deployment/load-release.ts';
import { settleRelease } from '../../../local/deployment/release-template.ts';
import { holdsByName } from '../../../scripts/deployment/evaluate-conditions.ts';
import { templateName } from '../../../scripts/release/parameters.ts';
import { conditionsOf } from '../../support/conditions.ts';
import { copyDeployment, type DeploymentCopy } from '../../support/osls.ts';
import { releasedTemplate } from '../../support/released.ts';
import { normal, type Template } from './normal.ts';

const pseudo = pseudoParameters({ stackName: 'drover-prod', accountId: '123456789012', region: 'eu-west-1' });
const template = await releasedTemplate();

let copy: DeploymentCopy;
beforeAll(async () => {
  copy = await copyDeployment();
});
afterAll(() => copy[Symbol.asyncDispose]());

type Parameters = Readonly<Record<string, string>>;

const packaged = async (parameters: Parameters): Promise<unknown> =>
  normal((await copy.packageStage(stringify(parameters))) as Template, pseudo);

/** The parameters of a stage as those of the release. */
function released({ etcdSnapshots, ...stage }: Parameters): unknown {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(etcdSnapshots ?? '') ?? [];
  const given = {
    ArtifactBucket: 'releases',
    ...Object.fromEntries(Object.entries(stage).map(([name, value]) => [templateName(name), value])),
    ...(etcdSnapshots !== undefined && { EtcdSnapshotBucket: bucket ?? etcdSnapshots }),
    ...(prefix !== undefined && { EtcdSnapshotPrefix: prefix }),
  };
  return normal(settleRelease(template, given, pseudo), pseudo);
}

const inVpc = {
  network: 'private',
  vpcId: 'vpc-0123456789abcdef0',
  subnetA: 'subnet-0123456789abcdef0',
  subnetB: 'subnet-0123456789abcdef1',
};
const etcd = { etcdDomain: 'etcd.example.com', etcdZoneId: 'Z0123456789ABC' };

const choices: readonly (readonly [string, Parameters])[] = [
  ['its defaults', {}],
  [
    'everything on, in a VPC, with etcd and snapshots',
    {
      ...inVpc,
      ...etcd,
      tokenWebhook: 'on',
      identityConfigMap: 'trusted',
      podHolds: 'on',
      rolls: 'on',
      tokenWebhookConcurrency: '20',
      passConcurrency: '50',
      etcdSnapshots: 's3://snapshots/drover/prod',
      etcdSnapshotBucketOwner: '012345678901',
      etcdSnapshotKmsKey: 'arn:aws:kms:eu-west-1:123456789012:key/0f1e2d3c',
      bootstrapRoles: 'worker,control-plane',
      hookTopic: 'arn:aws:sns:eu-west-1:123456789012:hooks',
      operatorRole: 'arn:aws:iam::123456789012:role/operators/*',
    },
  ],
  [
    'every optional part off, in a VPC, with an API server on 443',
    {
      ...inVpc,
      apiServerPort: '443',
      bootstrap: 'off',
      certificates: 'off',
      scaleApi: 'off',
      dashboard: 'off',
      operatorRole: 'arn:aws:iam::123456789012:role/operator',
    },
  ],
  [
    'the token webhook in a VPC without the ConfigMap',
    { ...inVpc, tokenWebhook: 'on', apiServerPort: '443', apiServerCidr: '10.0.0.0/16' },
  ],
  [
    'each receiver of alarms and notifications',
    {
      alarmEmail: 'ops@example.com',
      extraAlarmTopic: 'arn:aws:sns:eu-west-1:123456789012:on-call',
      notificationEmail: 'people@example.com',
      notificationTopic: 'arn:aws:sns:eu-west-1:123456789012:people',
      chatWebhookSecret: 'drover/chat',
      notifyFrom: 'warning',
    },
  ],
  ['no digest', { digest: 'off' }],
  ['no operator', { operatorRole: 'none' }],
  ['notifications to a chat only', { chatWebhookSecret: 'drover/chat', notifications: 'on' }],
  [
    'traces of everything',
    { ...inVpc, ...etcd, etcdSnapshots: 's3://snapshots/drover', tokenWebhook: 'on', tracing: 'on' },
  ],
  [
    'traces with a boundary and a path of roles, and with every optional part off',
    {
      bootstrap: 'off',
      certificates: 'off',
      scaleApi: 'off',
      dashboard: 'off',
      notifications: 'off',
      permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary',
      rolePath: '/company/',
      operatorRole: 'arn:aws:iam::123456789012:role/operator',
      tracing: 'on',
    },
  ],
  ['only the rights of traces', { tokenWebhook: 'on', chatWebhookSecret: 'drover/chat', tracing: 'rights' }],
  [
    'only records of etcd',
    { ...etcd, etcdMode: 'dns-only', etcdSnapshots: 's3://snapshots/drover', bootstrap: 'off' },
  ],
  [
    'backups elsewhere',
    { ...etcd, etcdSnapshots: 'elsewhere', tokenWebhook: 'on', identityConfigMap: 'limited' },
  ],
  [
    'a parameter for each kubeconfig',
    {
      kubeconfigParameter: '/own/kubeconfig',
      readerKubeconfigParameter: '/own/reader',
      credentialsKubeconfigParameter: '/own/credentials',
      certificatesKubeconfigParameter: '/own/certificates',
      plannerKubeconfigParameter: '/own/planner',
      rollerKubeconfigParameter: '/own/roller',
      podHolds: 'on',
      rolls: 'on',
      bootstrapParameter: '/own/bootstrap',
      eksCluster: 'other',
      etcdClientParameter: '/own/etcd',
      tokenWebhook: 'on',
      tokenWebhookSecretParameter: '/own/secret',
      identityMappingParameter: '/own/mapping',
      identityConfigMap: 'limited',
    },
  ],
  [
    'own kubeconfigs without certificates',
    { certificatesKubeconfigParameter: '/own/certificates', certificates: 'off', scaleApi: 'off' },
  ],
  [
    'a permissions boundary and a path of roles',
    {
      ...inVpc,
      tokenWebhook: 'on',
      chatWebhookSecret: 'drover/chat',
      permissionsBoundary: 'arn:aws:iam::123456789012:policy/company/boundary',
      rolePath: '/company/drover/',
    },
  ],
  ['only a path of roles', { rolePath: '/company/', bootstrap: 'off' }],
  [
    'other values',
    {
      drainTimeout: '45m',
      onFailure: 'ABANDON',
      maxLeavingPerGroup: '7',
      maxHurriedPerMinute: '9',
      groupNamePattern: 'prod-*',
      leavingHook: 'leave',
      joiningHook: 'join',
      nodeInstanceProfiles: 'worker=workers,control-plane=masters',
      scaleApiPrincipals: 'viewer=arn:aws:iam::123456789012:role/viewers',
      logRetentionInDays: '90',
      servingPublicAddresses: 'true',
      bootstrapKmsKey: 'alias/nodes',
    },
  ],
];

test('these choices cover both answers of each condition', () => {
  const defaults = parse(readFileSync('deploy/stages/default.yml', 'utf8')) as Parameters;
  const answers = choices.map(([, parameters]) => {
    const conditions = conditionsOf({ ...defaults, ...parameters });
    return Object.keys(conditions).map((name) => [
      name,
      holdsByName(name, { conditions, values: {} }, 'Conditions'),
    ]);
  });
  const seen = new Set(answers.flat().map((answer) => answer.join(' ')));
  const names = Object.keys(conditionsOf(defaults));
  expect(names.length).toBeGreaterThan(20);
  expect([...seen].toSorted()).toEqual(names.flatMap((name) => [`${name} false`, `${name} true`]).toSorted());
});

test.each(choices)('a release with %s gives what is packaged with it', async (_, parameters) => {
  const all = { cluster: 'prod', ...parameters };
  expect(released(all)).toEqual(await packaged(all));
});
