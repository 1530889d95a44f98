import { readFileSync } from 'node:fs';
import type { PolicyDocument } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { privateRelease } from '../support/released.ts';

const text = readFileSync('docs/networking.md', 'utf8');

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly FunctionName?: string;
    readonly Role?: { readonly 'Fn::GetAtt': readonly [string] };
    readonly Roles?: readonly { readonly Ref: string }[];
    readonly VpcConfig?: unknown;
    readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
    readonly PolicyDocument?: PolicyDocument;
  };
}

const { resources: settled } = await privateRelease({
  stackName: 'drover-prod',
  parameters: {
    Cluster: 'prod',
    TokenWebhook: 'on',
    IdentityConfigMap: 'limited',
    PodHolds: 'on',
    Rolls: 'on',
    EtcdDomain: 'etcd.example.com',
    EtcdZoneId: 'Z0123456789ABC',
    EtcdSnapshotBucket: 'snapshots',
  },
});
const Resources = settled as Readonly<Record<string, Resource>>;
const resources = Object.values(Resources);

/** The words of the page for the services that a function itself calls. */
const services: Readonly<Record<string, string>> = {
  autoscaling: 'Auto Scaling',
  cloudwatch: 'CloudWatch',
  ec2: 'EC2',
  eks: 'EKS',
  elasticloadbalancing: 'Elastic Load Balancing',
  events: 'EventBridge',
  iam: 'IAM',
  route53: 'Route 53',
  s3: 'S3',
  scheduler: 'Scheduler',
  sqs: 'SQS',
  ssm: 'SSM',
};

/** Lambda uses these rights, and not the code of the function. */
const isOfLambda = ({ Sid, Action, Resource }: PolicyDocument['Statement'][number]): boolean =>
  Sid === 'NetworkInterfaces' ||
  (Action === 'sqs:SendMessage' && JSON.stringify(Resource ?? '').includes('UndeliveredQueue'));

function servicesOf(roleId: string): readonly string[] {
  const documents = [
    ...(Resources[roleId]?.Properties.Policies ?? []).map(({ PolicyDocument: document }) => document),
    ...resources.flatMap(({ Properties: { Roles, PolicyDocument: document } }) =>
      document && Roles?.some(({ Ref }) => Ref === roleId) ? [document] : [],
    ),
  ];
  const actions = documents
    .flatMap(({ Statement }) => Statement.filter((one) => !isOfLambda(one)))
    .flatMap(({ Action }) => [Action].flat().map(String))
    .filter((action) => action !== 'iam:PassRole');
  return [...new Set(actions.map((action) => services[action.split(':')[0] ?? '']))].filter(
    (name) => name !== undefined,
  );
}

const rows = new Map(
  text.split('\n').flatMap((line) => {
    const [, name = '', , apis = '', inVpc = ''] = line.split('|').map((cell) => cell.trim());
    return /^[a-z-]+$/.test(name) ? [[name, { apis, inVpc }] as const] : [];
  }),
);

describe('docs/networking.md', () => {
  const functions = resources
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties: { FunctionName, Role, VpcConfig } }) => ({
      name: FunctionName?.replace('drover-prod-', '') ?? '',
      roleId: Role?.['Fn::GetAtt'][0] ?? '',
      isInVpc: VpcConfig !== undefined,
    }));

  it.each(functions)('says what $name calls, and whether it is in the VPC', ({ name, roleId, isInVpc }) => {
    const { apis = '', inVpc = '' } = rows.get(name) ?? {};
    const named = Object.values(services).filter((service) => apis.includes(service));
    expect(named.toSorted()).toEqual(servicesOf(roleId).toSorted());
    expect(inVpc === 'no').toBe(!isInVpc);
  });
});
