import { TemplateError } from '../../scripts/deployment/template-error.ts';
import type { References } from './intrinsics.ts';
import type { Resource, Template } from './template.ts';

/** The account and region of the stack, and the names of the resources that it refers to. */
export interface StackContext {
  readonly stackName: string;
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  /** What a queue's URL starts with, without a slash at its end. */
  readonly sqsEndpoint: string;
  /** Values of template parameters, over their defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The value of an SSM parameter that the template refers to; undefined if there is none. */
  readonly readParameter: (name: string) => string | undefined;
}

/** What `Ref` gives for a resource, and its attributes. */
interface Identity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

type Named = (
  given: (property: string) => string,
  context: StackContext,
  properties: NonNullable<Resource['Properties']>,
) => Identity;

const arn = ({ partition, region, accountId }: StackContext, service: string, rest: string): string =>
  `arn:${partition}:${service}:${region}:${accountId}:${rest}`;

const identities: Readonly<Record<string, Named>> = {
  'AWS::SQS::Queue': (given, context) => {
    const name = given('QueueName');
    return {
      ref: `${context.sqsEndpoint}/${context.accountId}/${name}`,
      attributes: { Arn: arn(context, 'sqs', name), QueueName: name },
    };
  },
  'AWS::Lambda::Function': (given, context) => {
    const name = given('FunctionName');
    return { ref: name, attributes: { Arn: arn(context, 'lambda', `function:${name}`) } };
  },
  'AWS::IAM::Role': (given, context, { Path }) => {
    const name = given('RoleName');
    const path = typeof Path === 'string' ? Path : '/';
    const roleArn = `arn:${context.partition}:iam::${context.accountId}:role${path}${name}`;
    return { ref: name, attributes: { Arn: roleArn } };
  },
  'AWS::Events::Rule': (given, context) => {
    const name = given('Name');
    return { ref: name, attributes: { Arn: arn(context, 'events', `rule/${name}`) } };
  },
  'AWS::Events::ApiDestination': (given, context) => {
    const name = given('Name');
    return { ref: name, attributes: { Arn: arn(context, 'events', `api-destination/${name}`) } };
  },
  'AWS::SNS::Topic': (given, context) => {
    const name = given('TopicName');
    const topicArn = arn(context, 'sns', name);
    return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
  },
  'AWS::Scheduler::ScheduleGroup': (given, context) => {
    const name = given('Name');
    return { ref: name, attributes: { Arn: arn(context, 'scheduler', `schedule-group/${name}`) } };
  },
  'AWS::Logs::LogGroup': (given, context) => {
    const name = given('LogGroupName');
    return { ref: name, attributes: { Arn: arn(context, 'logs', `log-group:${name}:*`) } };
  },
  'AWS::S3::Bucket': (given, { partition }) => {
    const name = given('BucketName').toLowerCase();
    return { ref: name, attributes: { Arn: `arn:${partition}:s3:::${name}` } };
  },
  'AWS::ApiGatewayV2::Api': (given, context) => {
    const id = given('ApiId');
    return {
      ref: id,
      attributes: { ApiEndpoint: `https://${id}.execute-api.${context.region}.amazonaws.com` },
    };
  },
  'AWS::ApiGatewayV2::Integration': (given) => ({ ref: given('IntegrationId'), attributes: {} }),
  'AWS::EC2::SecurityGroup': (given) => ({
    ref: given('GroupId'),
    attributes: { GroupId: given('GroupId') },
  }),
};

/** The name in the template or, as CloudFormation does, one made of the stack and the logical id (without its random end). */
function givenName(logicalId: string, { Properties = {} }: Resource, { stackName }: StackContext) {
  return (property: string): string => {
    const name = Properties[property];
    if (typeof name === 'string') return name;
    return `${stackName}-${logicalId}${Properties.FifoQueue === true ? '.fifo' : ''}`;
  };
}

function identify(template: Template, context: StackContext, logicalId: string, where: string): Identity {
  const resource = template.Resources[logicalId];
  if (!resource) throw new TemplateError(where, `refers to ${logicalId}, which the template does not have`);
  const named = identities[resource.Type];
  if (!named)
    throw new TemplateError(
      where,
      `refers to ${logicalId}, and the sandbox gives no name to ${resource.Type}`,
    );
  return named(givenName(logicalId, resource, context), context, resource.Properties ?? {});
}

/** How the template's references read in this stack. */
export function createReferences(template: Template, context: StackContext): References {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': context.accountId,
    'AWS::Region': context.region,
    'AWS::Partition': context.partition,
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': context.stackName,
  };
  const readParameter = (name: string, where: string): string => {
    const value = context.readParameter(name);
    if (value === undefined) throw new TemplateError(where, `there is no SSM parameter ${name}`);
    return value;
  };
  const parameter = (name: string, where: string): string | undefined => {
    const declared = template.Parameters?.[name];
    if (!declared) return undefined;
    const value = context.parameters[name] ?? declared.Default;
    if (value === undefined) throw new TemplateError(where, `parameter ${name} has no value`);
    const fromSsm = declared.Type.startsWith('AWS::SSM::Parameter::Value');
    return fromSsm ? readParameter(String(value), where) : String(value);
  };
  return {
    ref: (name, where) =>
      pseudo[name] ?? parameter(name, where) ?? identify(template, context, name, where).ref,
    getAttribute: (logicalId, attribute, where) => {
      const value = identify(template, context, logicalId, where).attributes[attribute];
      if (value === undefined)
        throw new TemplateError(where, `the sandbox does not know ${logicalId}.${attribute}`);
      return value;
    },
    readParameter,
  };
}
