import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { settle } from '../../../local/deployment/settle.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly UpdatePolicy?: { readonly AutoScalingRollingUpdate: Readonly<Record<string, unknown>> };
}

const scalars = ['Ref', 'Sub', 'GetAtt'].map((name) => ({
  tag: `!${name}`,
  resolve: (text: string) =>
    name === 'GetAtt'
      ? { 'Fn::GetAtt': text.split('.') }
      : { [name === 'Ref' ? 'Ref' : `Fn::${name}`]: text },
}));

/** Values for the parameters without a default, as a user would choose them. */
const given: Readonly<Record<string, string>> = {
  VpcId: 'vpc-0123456789abcdef0',
  ZoneId: 'Z0123456789ABC',
  ZoneName: 'prod.example.internal',
  ImageId: 'ami-0123456789abcdef0',
  EtcdImageId: 'ami-0123456789abcdef0',
  NodesKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0f1e2d3c',
  ClusterClientSecurityGroupId: 'sg-0123456789abcdef0',
  EtcdClientSecurityGroupId: 'sg-0123456789abcdef1',
  AdministratorsSecurityGroupId: 'sg-0123456789abcdef9',
  SubnetIds: 'subnet-0123456789abcdef0',
  NodeSecurityGroupIds: 'sg-0123456789abcdef2',
  AdministratorArn: 'arn:aws:iam::123456789012:role/administrators',
  'AWS::Region': 'eu-west-1',
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The resources of a template of examples/, with parameters in their places. */
export function exampleResources(
  file: string,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, Resource>> {
  const template = parse(readFileSync(`examples/${file}`, 'utf8'), { customTags: scalars }) as {
    readonly Parameters: Readonly<Record<string, { readonly Default?: string | number }>>;
    readonly Resources: Readonly<Record<string, Resource>>;
  };
  const defaults = Object.entries(template.Parameters).map(([name, { Default }]) => [
    name,
    String(Default ?? given[name] ?? ''),
  ]);
  const values = { ...given, ...Object.fromEntries(defaults), ...parameters };
  return settle(template.Resources, { values, conditions: {} }, file) as Readonly<Record<string, Resource>>;
}

export const ofType = (resources: Readonly<Record<string, Resource>>, type: string) =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);
