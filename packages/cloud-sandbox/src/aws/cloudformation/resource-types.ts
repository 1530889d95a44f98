import type { ServiceParts } from '../integration.ts';
import type { SimulatedLogs } from '../logs/logs.ts';
import type { SimulatedSqs } from '../sqs/sqs.ts';
import type { SimulatedSsm } from '../ssm/ssm.ts';
import { invalid } from './template.ts';

/** Every property of these types is a text, a number or a boolean, which CloudFormation takes as a text, too. */
type Properties = Readonly<Record<string, string>>;

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
}

const queueAttributes = ['FifoQueue', 'MessageRetentionPeriod', 'VisibilityTimeout'];

/** The types that the sandbox makes. */
export const resourceTypes = ({
  sqs,
  ssm,
  logs,
  accountId,
}: StackServices): Readonly<Record<string, ResourceType>> => ({
  'AWS::SQS::Queue': {
    properties: ['QueueName', ...queueAttributes],
    make: ({ QueueName, ...Attributes }, generatedName) => {
      const suffix = Attributes['FifoQueue'] === 'true' ? '.fifo' : '';
      return sqs.operations.CreateQueue({ QueueName: QueueName ?? `${generatedName}${suffix}`, Attributes })
        .QueueUrl;
    },
    delete: (QueueUrl) => sqs.operations.DeleteQueue({ QueueUrl }),
  },
  'AWS::SSM::Parameter': {
    properties: ['Name', 'Type', 'Value'],
    make: ({ Name = '', Value }, generatedName) => {
      const name = Name || generatedName;
      const principal = { accountId, arn: `arn:aws:iam::${accountId}:root`, accessKeyId: '' };
      const parameter = { Name: name, Type: 'String', Value } as const;
      ssm.operations.PutParameter(parameter, { principal, requestId: '' });
      return name;
    },
    delete: (Name) => void ssm.operations.DeleteParameter({ Name }),
  },
  'AWS::Logs::LogGroup': {
    properties: ['LogGroupName'],
    make: ({ LogGroupName: name = '' }, generatedName) => {
      const logGroupName = name || generatedName;
      logs.controls.createLogGroup(logGroupName);
      return logGroupName;
    },
    delete: (logGroupName) => void logs.operations.DeleteLogGroup({ logGroupName }),
  },
});

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
