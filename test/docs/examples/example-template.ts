import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { settle } from '../../../local/deployment/settle.ts';
import { holdsByName } from '../../../scripts/deployment/evaluate-conditions.ts';

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
const lists = ['Sub', 'Select', 'If', 'Not', 'Equals'].map((name) => ({
  tag: `!${name}`,
  collection: 'seq' as const,
  resolve: (list: { toJSON: () => unknown }) => ({ [`Fn::${name}`]: list.toJSON() }),
}));

/** One in each of three zones. */
export const exampleSubnets = [
  'subnet-0123456789abcdef0',
  'subnet-0123456789abcdef1',
  'subnet-0123456789abcdef2',
] as const;

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
  SubnetIds: exampleSubnets.join(','),
  Zones: 'eu-west-1a,eu-west-1b,eu-west-1c',
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
  const template = parse(readFileSync(`examples/${file}`, 'utf8'), {
    customTags: [...scalars, ...lists],
  }) as {
    readonly Parameters: Readonly<Record<string, { readonly Default?: string | number }>>;
    readonly Conditions?: Readonly<Record<string, unknown>>;
    readonly Resources: Readonly<Record<string, Resource & { readonly Condition?: string }>>;
  };
  const defaults = Object.entries(template.Parameters).map(([name, { Default }]) => [
    name,
    String(Default ?? given[name] ?? ''),
  ]);
  const values = { ...given, ...Object.fromEntries(defaults), ...parameters };
  const context = { values, conditions: template.Conditions ?? {} };
  const made = Object.entries(template.Resources).filter(
    ([, { Condition }]) => Condition === undefined || holdsByName(Condition, context, file),
  );
  return settle(Object.fromEntries(made), context, file) as Readonly<Record<string, Resource>>;
}

export const ofType = (resources: Readonly<Record<string, Resource>>, type: string) =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);
