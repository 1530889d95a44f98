import type * as CloudFormation from '@aws-sdk/client-cloudformation';
import type { ServiceParts } from '../integration.ts';
import { AwsError, type AwsService } from '../service.ts';
import { checkResource, type ResourceType, resourceTypes, type StackServices } from './resource-types.ts';
import { invalid, parametersOf, type References, readTemplate, resolve, type Template } from './template.ts';

/** One resource takes so long to make and to delete. */
const secondsOfResource = 2;

interface MadeResource {
  readonly logicalId: string;
  readonly type: string;
  physicalId?: string;
  status: CloudFormation.ResourceStatus;
}

interface Stack {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly template: Template;
  readonly parameters: References;
  readonly tags: readonly CloudFormation.Tag[];
  readonly resources: MadeResource[];
  status: CloudFormation.StackStatus;
  reason?: string;
}

export interface CloudFormationOptions extends ServiceParts, StackServices {
  /** The text of an object in a bucket of the account; undefined if there is none. */
  readonly readObject: (bucket: string, key: string) => string | undefined;
}

export interface SimulatedCloudFormation extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
}

/**
 * AWS CloudFormation, as far as stacks of queues, parameters, log groups and roles are created and deleted over time, with their deletion policies.
 * Left out: other types, functions but Ref and Sub, conditions, updates, change sets, rollback. What it does not know it refuses.
 */
export const createCloudFormation = (options: CloudFormationOptions): SimulatedCloudFormation => ({
  signingName: 'cloudformation',
  operations: operationsOf({ ...options, stacks: new Map(), types: resourceTypes(options) }),
});

interface World extends CloudFormationOptions {
  /** By id, in the order of creation. */
  readonly stacks: Map<string, Stack>;
  readonly types: Readonly<Record<string, ResourceType>>;
}

const operationsOf = (world: World) => ({
  CreateStack: (input: CloudFormation.CreateStackCommandInput) => {
    const { StackName: name = '', Parameters = [], Tags = [] } = input;
    if (!/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(name))
      throw invalid(
        `1 validation error detected: Value '${name}' at 'stackName' failed to satisfy constraint`,
      );
    if (existing(world).some((stack) => stack.name === name))
      throw new AwsError({ code: 'AlreadyExistsException', message: `Stack [${name}] already exists` });
    const template = readTemplate(templateText(world, input));
    for (const resource of Object.values(template.Resources)) checkResource(world.types, resource);
    const given = Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [
      ParameterKey,
      ParameterValue,
    ]);
    const stack: Stack = {
      id: `arn:aws:cloudformation:${world.region}:${world.accountId}:stack/${name}/${world.random.hex(32)}`,
      name,
      createdAt: world.clock.now(),
      template,
      parameters: parametersOf(template, Object.fromEntries(given)),
      tags: Tags,
      resources: [],
      status: 'CREATE_IN_PROGRESS',
    };
    world.stacks.set(stack.id, stack);
    later(world, () => makeNext(world, stack));
    return { StackId: stack.id };
  },
  /** A stack that has been deleted is described only by its id. */
  DescribeStacks: ({ StackName: name }: CloudFormation.DescribeStacksCommandInput) => ({
    Stacks: (name === undefined ? existing(world) : [stackNamed(world, name)]).map((stack) =>
      describe(world, stack),
    ),
  }),
  ListStackResources: ({ StackName: name = '' }: CloudFormation.ListStackResourcesCommandInput) => ({
    StackResourceSummaries: stackNamed(world, name).resources.map((resource) => ({
      LogicalResourceId: resource.logicalId,
      PhysicalResourceId: resource.physicalId,
      ResourceType: resource.type,
      ResourceStatus: resource.status,
      LastUpdatedTimestamp: new Date(world.clock.now()),
    })),
  }),
  /** Of a stack that does not exist, too: "deletes" nothing. */
  DeleteStack: ({ StackName: name = '' }: CloudFormation.DeleteStackCommandInput): Record<string, never> => {
    const stack = found(world, name);
    if (stack === undefined || stack.status.startsWith('DELETE_')) return {};
    stack.status = 'DELETE_IN_PROGRESS';
    later(world, () => deleteNext(world, stack));
    return {};
  },
});

/** Of an object: `https://BUCKET.s3.REGION.amazonaws.com/KEY`, or with the bucket in the path. */
function templateText(
  world: World,
  { TemplateBody, TemplateURL = '' }: CloudFormation.CreateStackCommandInput,
) {
  if (TemplateBody !== undefined) return TemplateBody;
  const denied = invalid('S3 error: Access Denied');
  // Not URL.parse, which Node 20 lacks: the package runs there.
  if (!URL.canParse(TemplateURL)) throw denied;
  const { hostname, pathname } = new URL(TemplateURL);
  const named = /^(.+)\.s3[.-]/.exec(hostname)?.[1];
  const [bucket = '', ...key] = [...(named === undefined ? [] : [named]), ...pathname.slice(1).split('/')];
  const text = world.readObject(bucket, decodeURIComponent(key.join('/')));
  if (text === undefined) throw denied;
  return text;
}

const existing = (world: World): readonly Stack[] =>
  [...world.stacks.values()].filter(({ status }) => status !== 'DELETE_COMPLETE');

const found = (world: World, name: string): Stack | undefined =>
  world.stacks.get(name) ?? existing(world).find((stack) => stack.name === name);

function stackNamed(world: World, name: string): Stack {
  const stack = found(world, name);
  if (stack === undefined) throw invalid(`Stack with id ${name} does not exist`);
  return stack;
}

const later = ({ clock }: World, step: () => void): void => void clock.after(secondsOfResource * 1000, step);

const referencesOf = (world: World, { name, id, parameters, resources }: Stack): References => ({
  'AWS::StackName': name,
  'AWS::StackId': id,
  'AWS::Region': world.region,
  'AWS::AccountId': world.accountId,
  'AWS::Partition': 'aws',
  ...parameters,
  ...Object.fromEntries(resources.map(({ logicalId, physicalId = '' }) => [logicalId, physicalId])),
});

/** One resource after the other, in the order of the template. A failure leaves what exists: the sandbox does not roll back. */
function makeNext(world: World, stack: Stack): void {
  if (stack.status !== 'CREATE_IN_PROGRESS') return;
  const next = Object.entries(stack.template.Resources)[stack.resources.length];
  if (next === undefined) {
    stack.status = 'CREATE_COMPLETE';
    return;
  }
  const [logicalId, { Type, Properties = {} }] = next;
  const made: MadeResource = { logicalId, type: Type, status: 'CREATE_COMPLETE' };
  const generatedName = `${stack.name}-${logicalId}-${world.random.hex(12).toUpperCase()}`;
  try {
    const properties = resolve(Properties, referencesOf(world, stack)) as Readonly<Record<string, unknown>>;
    const physicalId = world.types[Type]?.make(properties, generatedName);
    if (physicalId !== undefined) made.physicalId = physicalId;
    later(world, () => makeNext(world, stack));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    made.status = 'CREATE_FAILED';
    stack.status = 'CREATE_FAILED';
    stack.reason = `The following resource(s) failed to create: [${logicalId}]. ${error.message}`;
  }
  stack.resources.push(made);
}

/** The last one first. What the template retains stays in the account. */
function deleteNext(world: World, stack: Stack): void {
  const next = stack.resources.findLast(({ status }) => !status.startsWith('DELETE_'));
  if (next === undefined) {
    stack.status = 'DELETE_COMPLETE';
    return;
  }
  const policy = stack.template.Resources[next.logicalId]?.DeletionPolicy ?? 'Delete';
  next.status = policy === 'Delete' ? 'DELETE_COMPLETE' : 'DELETE_SKIPPED';
  if (policy === 'Delete' && next.physicalId !== undefined) deleteUnlessGone(world, next);
  later(world, () => deleteNext(world, stack));
}

/** What something else has deleted meanwhile is gone. */
function deleteUnlessGone({ types }: World, { type, physicalId = '' }: MadeResource): void {
  try {
    types[type]?.delete(physicalId);
  } catch (error) {
    if (!(error instanceof AwsError && /NotFound|DoesNotExist/.test(error.code))) throw error;
  }
}

function describe(world: World, stack: Stack): CloudFormation.Stack {
  const isComplete = stack.status === 'CREATE_COMPLETE';
  const outputs = isComplete ? Object.entries(stack.template.Outputs ?? {}) : [];
  return {
    StackId: stack.id,
    StackName: stack.name,
    CreationTime: new Date(stack.createdAt),
    StackStatus: stack.status,
    StackStatusReason: stack.reason,
    Tags: [...stack.tags],
    Parameters: Object.entries(stack.parameters).map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
    Outputs: outputs.map(([OutputKey, { Value }]) => ({
      OutputKey,
      OutputValue: String(resolve(Value, referencesOf(world, stack))),
    })),
  };
}
