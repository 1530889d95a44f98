import { tagContext } from '../context.ts';
import {
  type Input,
  type RuleQuestion,
  records,
  requestTagContext,
  type ServiceRule,
  text,
  texts,
} from './rule.ts';

/** The kind of a resource in an ARN, by the prefix of its id. */
const kinds: Readonly<Record<string, string>> = {
  i: 'instance',
  lt: 'launch-template',
  subnet: 'subnet',
  sg: 'security-group',
  vol: 'volume',
  vpc: 'vpc',
  eni: 'network-interface',
};

const arnOf = ({ accountId, region }: RuleQuestion, id: string): string => {
  const kind = kinds[id.slice(0, id.lastIndexOf('-'))] ?? '*';
  return `arn:aws:ec2:${region}:${accountId}:${kind}/${id}`;
};

const requestedTags = (input: Input): readonly Input[] => [
  ...records(input, 'Tags'),
  ...records(input, 'TagSpecifications').flatMap((specification) => records(specification, 'Tags')),
];

/** What a call makes has no id yet. */
const createdKinds: Readonly<Record<string, string>> = {
  RunInstances: 'instance',
  CreateLaunchTemplate: 'launch-template',
  CreateSubnet: 'subnet',
  CreateVpc: 'vpc',
};

function resourcesOf(question: RuleQuestion): readonly string[] {
  const { input, operation, accountId, region } = question;
  const created = createdKinds[operation];
  if (created !== undefined) return [`arn:aws:ec2:${region}:${accountId}:${created}/*`];
  const single =
    text(input, 'InstanceId') ??
    text(input, 'LaunchTemplateId') ??
    text(input, 'NetworkInterfaceId') ??
    text(input, 'SubnetId') ??
    text(input, 'VpcId');
  const ids = [
    ...texts(input, 'InstanceIds'),
    ...texts(input, 'Resources'),
    ...(single === undefined ? [] : [single]),
  ];
  return ids.length === 0 ? ['*'] : ids.map((id) => arnOf(question, id));
}

/** The reads that are authorized on what they name. */
const readsOfResource: ReadonlySet<string> = new Set(['DescribeInstanceAttribute']);

/**
 * Amazon EC2: Describe* takes only `*`, with few exceptions; other actions are authorized on the resources that they name and their tags. RunInstances
 * is authorized only on the instance, not on the image, subnet and the rest that AWS asks about too.
 */
export const ec2Rule: ServiceRule = (question) => {
  const action = `ec2:${question.operation}`;
  if (question.operation.startsWith('Describe') && !readsOfResource.has(question.operation))
    return [{ action, resource: '*' }];
  const requested = requestTagContext(requestedTags(question.input));
  return resourcesOf(question).map((resource) => ({
    action,
    resource,
    context: {
      ...tagContext(['aws:ResourceTag', 'ec2:ResourceTag'], question.lookup.tags(resource)),
      ...requested,
    },
  }));
};
