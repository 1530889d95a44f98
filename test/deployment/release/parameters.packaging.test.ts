import { describe, expect, test } from 'vitest';
import { readRelease } from '../../../local/deployment/load-release.ts';
import { releaseParameters, templateName } from '../../../scripts/release/parameters.ts';
import { malformedVariables } from '../../../shared/runtime/config.ts';
import { releasedDirectory, releasedTemplate } from '../../support/released.ts';

const template = (await releasedTemplate()) as {
  readonly Parameters: Readonly<Record<string, { readonly Default?: string; readonly Description: string }>>;
};

const deployed = (parameters: Readonly<Record<string, string>>) =>
  readRelease({
    template,
    directory: releasedDirectory,
    stackName: 'drover-prod',
    accountId: '123456789012',
    region: 'eu-west-1',
    parameters: { Cluster: 'prod', ...parameters },
  });

/** Everything on, so that each parameter has a place. */
const everything = {
  Rolls: 'on',
  TokenWebhook: 'on',
  IdentityConfigMap: 'limited',
  EtcdDomain: 'etcd.example.com',
  EtcdZoneId: 'Z0123456789ABC',
  EtcdSnapshotBucket: 'snapshots',
};

/** Another value than the default, for each parameter that the environment of functions holds as it is. */
const inEnvironment: Readonly<Record<string, string>> = {
  cluster: 'other',
  drainTimeout: '45m',
  onFailure: 'ABANDON',
  maxLeavingPerGroup: '7',
  maxLeavingPerCluster: '8',
  maxHurriedPerMinute: '9',
  maxSizeLimit: '11',
  drainOnRebalance: 'true',
  annotationTimeout: '90m',
  joinTimeout: '13m',
  notifications: 'off',
  digest: 'off',
  notifyHeldAfter: '7m',
  joinWindow: '31m',
  leavingHook: 'leave',
  joiningHook: 'join',
  etcdHook: 'etcd',
  etcdLaunchHook: 'etcd-launch',
  etcdDomain: 'other.example.com',
  etcdZoneId: 'ZOTHER',
  etcdMode: 'dns-only',
  etcdServices: 'both',
  etcdServiceName: 'blue',
  etcdTtl: '11s',
  etcdClientParameter: '/own/etcd',
  etcdSnapshotBucketOwner: '012345678901',
  etcdSnapshotKmsKey: 'arn:aws:kms:eu-west-1:123456789012:key/0f1e2d3c',
  etcdSnapshotMaxAge: '2h',
  kubeconfigParameter: '/own/kubeconfig',
  readerKubeconfigParameter: '/own/reader',
  credentialsKubeconfigParameter: '/own/credentials',
  certificatesKubeconfigParameter: '/own/certificates',
  plannerKubeconfigParameter: '/own/planner',
  podHolds: 'on',
  rollerKubeconfigParameter: '/own/roller',
  bootstrapParameter: '/own/bootstrap',
  bootstrapRotation: '6h',
  bootstrapOverlap: '2h',
  bootstrapRoles: 'worker,control-plane',
  bootstrapGroups: 'system:bootstrappers:team:nodes',
  bootstrapKmsKey: 'alias/nodes',
  bootstrapServer: 'https://api.example.com:6443',
  bootstrapCertificateAuthority: 'LS0tQUJD',
  nodeVpcId: 'vpc-0123456789abcdef0',
  nodeInstanceProfiles: 'worker=workers',
  servingAddresses: 'primary',
  servingPublicAddresses: 'true',
  scaleApiPrincipals: 'viewer=arn:aws:iam::123456789012:role/viewers',
  tokenWebhookSecretParameter: '/own/secret',
  identityMappingParameter: '/own/mapping',
  identityConfigMap: 'trusted',
};

/** What else changes: same-as-packaged.test.ts compares the whole templates. */
const elsewhere = [
  'network vpcId subnetA subnetB apiServerPort apiServerCidr etcdCidr bootstrap certificates scaleApi tokenWebhook',
  'tokenWebhookConcurrency passConcurrency eksCluster groupNamePattern hookTopic operatorRole etcdSnapshotBucket etcdSnapshotPrefix logRetentionInDays',
  'alarmEmail extraAlarmTopic notificationEmail notificationTopic chatWebhookSecret notifyFrom dashboard tracing',
  'permissionsBoundary rolePath rolls',
].flatMap((names) => names.split(' '));

test('every parameter of a stage is one of the release, and tried here', () => {
  expect(Object.keys(releaseParameters()).toSorted()).toEqual(
    [...Object.keys(inEnvironment), ...elsewhere].toSorted(),
  );
});

test.each(Object.entries(inEnvironment))('%s reaches the functions, which take it', (name, value) => {
  const { functions } = deployed({ ...everything, [templateName(name)]: value });
  expect(functions.filter(({ environment }) => Object.values(environment).includes(value))).not.toEqual([]);
  for (const { environment } of functions) expect(malformedVariables(environment)).toEqual([]);
});

describe('a choice adds or removes its parts:', () => {
  const names = (parameters: Readonly<Record<string, string>>) =>
    deployed(parameters).functions.map(({ name }) => name);

  test.each([
    ['Bootstrap', 'bootstrap-credential'],
    ['Certificates', 'certificate-requests'],
    ['ScaleApi', 'scale-api'],
  ])('%s', (parameter, functionName) => {
    expect(names({})).toContain(functionName);
    expect(names({ [parameter]: 'off' })).not.toContain(functionName);
  });

  test('TokenWebhook', () => {
    expect(names({})).not.toContain('token-webhook');
    expect(names({ TokenWebhook: 'on' })).toContain('token-webhook');
  });

  test('the topic and the role of operators are in the policies of queues', () => {
    const hookTopic = 'arn:aws:sns:eu-west-1:123456789012:hooks';
    const operatorRole = 'arn:aws:iam::123456789012:role/operator';
    const policies = (parameters: Readonly<Record<string, string>>) =>
      deployed(parameters).queues.map(({ attributes }) => attributes['Policy'] ?? '');
    expect(policies({}).join()).not.toContain('sns.amazonaws.com');
    const named = policies({ HookTopic: hookTopic, OperatorRole: operatorRole });
    expect(named.filter((policy) => policy.includes(hookTopic))).toHaveLength(1);
    expect(named.every((policy) => policy.includes(operatorRole))).toBe(true);
  });

  test('the pattern of groups narrows the rules, and the EKS cluster the role of prewarm', () => {
    const { rules, roles } = deployed({ GroupNamePattern: 'prod-*', EksCluster: 'blue' });
    expect(rules.filter(({ rule }) => rule.EventPattern?.includes('{"wildcard":"prod-*"}'))).toHaveLength(2);
    expect(JSON.stringify(roles.find(({ roleName }) => roleName === 'drover-prod-prewarm'))).toContain(
      'nodegroup/blue/*',
    );
  });
});

describe('CloudFormation refuses before it changes anything', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a cluster with a wildcard, which is part of policies',
      { Cluster: 'prod*' },
      'Parameters.Cluster: prod* does not match',
    ],
    ['a quote in a name', { Cluster: 'a"b' }, 'Parameters.Cluster'],
    [
      'a cluster whose schedule group would have 65 characters',
      { Cluster: 'c'.repeat(58) },
      'Parameters.Cluster',
    ],
    [
      'a caller of the scale API in a role that there is not',
      { ScaleApiPrincipals: 'viewer=arn:aws:iam::123456789012:user/a root=arn:aws:iam::123456789012:user/b' },
      'Parameters.ScaleApiPrincipals',
    ],
    [
      'a boundary that is not a managed policy',
      { PermissionsBoundary: 'arn:aws:iam::123456789012:role/x' },
      'Parameters.PermissionsBoundary',
    ],
    ['a path of roles without its last slash', { RolePath: '/company' }, 'Parameters.RolePath'],
    ['a path of roles of 161 characters', { RolePath: `/${'p'.repeat(159)}/` }, 'Parameters.RolePath'],
    ['a word that is not a choice', { Bootstrap: 'yes' }, 'Parameters.Bootstrap: yes is none of on, off'],
    [
      'a parameter without a slash',
      { KubeconfigParameter: 'prod/kubeconfig' },
      'Parameters.KubeconfigParameter',
    ],
    ['a duration with words', { DrainTimeout: '30 minutes' }, 'Parameters.DrainTimeout'],
    ['a network without a VPC', { Network: 'private' }, 'VpcId is missing: Network=private needs it'],
    ['etcd without a zone', { EtcdDomain: 'etcd.example.com' }, 'EtcdZoneId is missing: EtcdDomain needs it'],
    [
      'members of etcd without snapshots',
      { EtcdDomain: 'etcd.example.com', EtcdZoneId: 'Z1' },
      'EtcdSnapshotBucket is missing: EtcdMode=members needs it',
    ],
    ['a parameter that does not exist', { Netwrok: 'private' }, 'there is no Netwrok'],
  ])('%s', (_, parameters, message) => {
    expect(() => deployed(parameters)).toThrow(message);
  });

  test('a stack without a cluster', () => {
    const { Cluster } = template.Parameters;
    expect(Cluster).not.toHaveProperty('Default');
  });
});

test.each(Object.entries(releaseParameters()))(
  '%s has a description, a default and a check',
  (_, parameter) => {
    const { description, isRequired, defaultValue, allowedPattern, allowedValues } = parameter;
    expect(description).toMatch(/^\S.{10,}/);
    expect(isRequired === true || defaultValue !== undefined).toBe(true);
    expect(allowedPattern ?? allowedValues).toBeDefined();
  },
);

test('callers of the scale API are taken with spaces between', () => {
  const ScaleApiPrincipals =
    'viewer=arn:aws:iam::123456789012:role/dashboards/reader  admin=arn:aws-us-gov:iam::123456789012:user/a+b@c';
  expect(() => deployed({ ScaleApiPrincipals })).not.toThrow();
});

test('defaults are what the parameters themselves allow', () => {
  expect(() => deployed({})).not.toThrow();
});
