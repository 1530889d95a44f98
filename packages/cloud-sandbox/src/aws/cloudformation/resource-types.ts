import type { SimulatedIam } from '../iam/iam.ts';
import type { ServiceParts } from '../integration.ts';
import type { SimulatedLogs } from '../logs/logs.ts';
import type { SimulatedSqs } from '../sqs/sqs.ts';
import type { SimulatedSsm } from '../ssm/ssm.ts';
import { invalid } from './template.ts';

type Properties = Readonly<Record<string, unknown>>;

/** An entry of `Policies` of AWS::IAM::Role. */
interface InlinePolicy {
  readonly PolicyName: string;
  readonly PolicyDocument: unknown;
}

/** How resources of one type are made and deleted. */
export interface ResourceType {
  /** Names that the type takes. Another one is refused, so that no part of a template is ignored. */
  readonly properties: readonly string[];
  /** @returns the physical id */
  readonly make: (properties: Properties, generatedName: string) => string;
  readonly delete: (physicalId: string) => void;
}

export interface StackServices extends Pick<ServiceParts, 'accountId'> {
  readonly sqs: SimulatedSqs;
  readonly ssm: SimulatedSsm;
  readonly logs: SimulatedLogs;
  readonly iam: SimulatedIam;
}

const queueAttributes = ['FifoQueue', 'MessageRetentionPeriod', 'VisibilityTimeout'];

/** CloudFormation takes numbers and booleans as texts, too. */
const texts = (properties: Properties): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)]));

/** The types that the sandbox makes. */
export const resourceTypes = (services: StackServices): Readonly<Record<string, ResourceType>> => {
  const { sqs, ssm, logs, iam, accountId } = services;
  return {
    'AWS::SQS::Queue': {
      properties: ['QueueName', ...queueAttributes],
      make: (properties, generatedName) => {
        const { QueueName, ...Attributes } = texts(properties);
        const suffix = Attributes['FifoQueue'] === 'true' ? '.fifo' : '';
        const name = QueueName ?? `${generatedName}${suffix}`;
        return sqs.operations.CreateQueue({ QueueName: name, Attributes }).QueueUrl;
      },
      delete: (QueueUrl) => sqs.operations.DeleteQueue({ QueueUrl }),
    },
    'AWS::SSM::Parameter': {
      properties: ['Name', 'Type', 'Value'],
      make: (properties, generatedName) => {
        const { Name = generatedName, Value } = texts(properties);
        const principal = { accountId, arn: `arn:aws:iam::${accountId}:root`, accessKeyId: '' };
        ssm.operations.PutParameter({ Name, Type: 'String', Value }, { principal, requestId: '' });
        return Name;
      },
      delete: (Name) => void ssm.operations.DeleteParameter({ Name }),
    },
    'AWS::Logs::LogGroup': {
      properties: ['LogGroupName'],
      make: (properties, generatedName) => {
        const { LogGroupName = generatedName } = texts(properties);
        logs.controls.createLogGroup(LogGroupName);
        return LogGroupName;
      },
      delete: (logGroupName) => void logs.operations.DeleteLogGroup({ logGroupName }),
    },
    'AWS::IAM::Role': {
      properties: ['RoleName', 'AssumeRolePolicyDocument', 'Policies', 'PermissionsBoundary'],
      make: (properties, generatedName) => {
        const { Policies = [], AssumeRolePolicyDocument: trustPolicy, ...named } = properties;
        const { RoleName = generatedName, PermissionsBoundary: permissionsBoundary } = texts(named);
        const policies = (Policies as readonly InlinePolicy[]).map(
          ({ PolicyName, PolicyDocument }): [string, unknown] => [PolicyName, PolicyDocument],
        );
        iam.putRole({ roleName: RoleName, policies: new Map(policies), trustPolicy, permissionsBoundary });
        return RoleName;
      },
      delete: (name) => iam.removeRole(iam.roleNamed(name)?.arn ?? ''),
    },
  };
};

/** @throws ValidationError if the sandbox does not make such a resource with such properties */
export function checkResource(
  types: Readonly<Record<string, ResourceType>>,
  {
    Type,
    Properties = {},
  }: { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> | undefined },
): void {
  const type = types[Type];
  if (type === undefined) throw invalid(`Template format error: Unrecognized resource types: [${Type}]`);
  const unknown = Object.keys(Properties).filter((name) => !type.properties.includes(name));
  if (unknown.length > 0) throw invalid(`this sandbox does not know ${unknown.join(', ')} of ${Type}`);
}
