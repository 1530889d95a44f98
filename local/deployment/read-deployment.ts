import type { Wiring } from '@drover/cloud-sandbox';
import { TemplateError } from '../../scripts/deployment/template-error.ts';
import { readAlarms, readTopics } from './alarms.ts';
import { readRules } from './event-rules.ts';
import { readFunctions } from './functions.ts';
import { resolve } from './intrinsics.ts';
import { createReferences, type StackContext } from './names.ts';
import { readQueues } from './queues.ts';
import { readRoles } from './roles.ts';
import { readScheduleGroups } from './schedule-groups.ts';
import type { Stack } from './stack.ts';
import { checkState, checkTemplate, type Template } from './template.ts';
import { readEventSourceMappings, readPermissions, readRoutes } from './triggers.ts';

const readTypes = new Set([
  'AWS::Lambda::Function',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Permission',
  'AWS::IAM::Role',
  'AWS::IAM::ManagedPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::Events::Rule',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::CloudWatch::Alarm',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Integration',
]);

const ignoredTypes: Readonly<Record<string, string>> = {
  'AWS::Logs::LogGroup': 'the sandbox prints what functions write and keeps no logs',
  'AWS::S3::Bucket': 'the sandbox takes the zips from the checkout',
  'AWS::S3::BucketPolicy': 'the sandbox takes the zips from the checkout',
  'AWS::ApiGatewayV2::Api': 'the sandbox has one HTTP API, at its own port',
  'AWS::ApiGatewayV2::Stage': 'the sandbox has one stage',
  'AWS::EC2::SecurityGroup': 'the sandbox has no network between functions and cluster',
  'AWS::SNS::Subscription': 'the sandbox sends no e-mail',
  'AWS::Events::Connection': 'the sandbox calls no chat',
  'AWS::Events::ApiDestination': 'the sandbox calls no chat',
  'AWS::CloudWatch::Dashboard': 'the sandbox has a dashboard of its own',
  'AWS::Lambda::Version': 'the sandbox runs the code that was packaged last',
};

/** Nothing of the template is passed over in silence: a type is read, or named among the ignored, or refused. */
function sortTypes(stack: Stack): void {
  for (const [logicalId, { Type }] of Object.entries(stack.template.Resources)) {
    if (readTypes.has(Type)) continue;
    const why = ignoredTypes[Type];
    if (why === undefined)
      throw new TemplateError(`Resources.${logicalId}`, `the sandbox does not know the type ${Type}`);
    stack.ignored.push({ what: logicalId, why });
  }
}

function readOutputs({ references, template }: Stack): Record<string, string> {
  const outputs = Object.entries(template.Outputs ?? {});
  return Object.fromEntries(
    outputs.map(([name, { Value }]) => [name, String(resolve(Value, references, `Outputs.${name}`))]),
  );
}

/** What a packaged deployment is read from. Everything but the files has the value of an ordinary account. */
export interface DeploymentInput extends Partial<StackContext> {
  /** `cloudformation-template-update-stack.json`, parsed. */
  readonly template: unknown;
  /** `serverless-state.json`, parsed. */
  readonly state: unknown;
  readonly accountId: string;
  readonly region: string;
}

/**
 * Reads a packaged deployment into what the sandbox carries out, so that what is deployed is what is run.
 *
 * @throws TemplateError that names the place of the first thing that the sandbox does not know.
 */
export function readDeployment({ template, state, ...input }: DeploymentInput): Wiring {
  const { service } = checkState(state);
  const checked: Template = checkTemplate(template);
  const context: StackContext = {
    stackName: service.provider.stackName ?? `${service.service}-${service.provider.stage}`,
    partition: 'aws',
    sqsEndpoint: `https://sqs.${input.region}.amazonaws.com`,
    parameters: {},
    readParameter: () => undefined,
    ...input,
  };
  const stack: Stack = { template: checked, references: createReferences(checked, context), ignored: [] };
  sortTypes(stack);
  return {
    stackName: context.stackName,
    accountId: context.accountId,
    region: context.region,
    functions: readFunctions(stack, { service }),
    roles: readRoles(stack),
    queues: readQueues(stack),
    rules: readRules(stack),
    eventSourceMappings: readEventSourceMappings(stack),
    routes: readRoutes(stack),
    permissions: readPermissions(stack),
    topics: readTopics(stack),
    scheduleGroups: readScheduleGroups(stack),
    alarms: readAlarms(stack),
    outputs: readOutputs(stack),
    ignored: stack.ignored,
  };
}
