import {
  type CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';

export interface CloudFormationWorld {
  readonly client: CloudFormationClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** A queue that is retained, a parameter that is not, and a role. */
const template = JSON.stringify({
  Parameters: { Value: { Type: 'String', Default: 'one' } },
  Resources: {
    Kept: { Type: 'AWS::SQS::Queue', DeletionPolicy: 'RetainExceptOnCreate' },
    Note: {
      Type: 'AWS::SSM::Parameter',
      Properties: { Name: { 'Fn::Sub': '/${AWS::StackName}/note' }, Type: 'String', Value: { Ref: 'Value' } },
    },
    Reader: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: { 'Fn::Sub': '${AWS::StackName}-reader' },
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
          ],
        },
      },
    },
  },
  Outputs: { NoteName: { Value: { Ref: 'Note' } } },
});

const create = ({ client }: CloudFormationWorld, name: string, TemplateBody = template) =>
  client.send(
    new CreateStackCommand({
      StackName: name,
      TemplateBody,
      Capabilities: ['CAPABILITY_NAMED_IAM'],
      Tags: [{ Key: 'team', Value: 'blue' }],
      Parameters: [{ ParameterKey: 'Value', ParameterValue: 'two' }],
    }),
  );

async function stackOf({ client }: CloudFormationWorld, StackName: string | undefined) {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  return stack;
}

/** A made stack; its id and its name. */
async function made(world: CloudFormationWorld) {
  const name = newName();
  const { StackId } = await create(world, name);
  await settled(world, StackId, 'CREATE_COMPLETE');
  return { id: StackId, name };
}

async function settled(world: CloudFormationWorld, id: string | undefined, status: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if ((await stackOf(world, id))?.StackStatus === status) return;
    await world.pass(1);
  }
  expect((await stackOf(world, id))?.StackStatus).toBe(status);
}

export const cloudFormationCases: Cases<CloudFormationWorld> = {
  'a stack has the resources, outputs, parameters and tags that it was created with': async (world) => {
    const { name } = await made(world);
    expect(await stackOf(world, name)).toMatchObject({
      StackName: name,
      Tags: [{ Key: 'team', Value: 'blue' }],
      Parameters: [{ ParameterKey: 'Value', ParameterValue: 'two' }],
      Outputs: [{ OutputKey: 'NoteName', OutputValue: `/${name}/note` }],
    });
    const { Parameter } = await world.ssm.send(new GetParameterCommand({ Name: `/${name}/note` }));
    expect(Parameter?.Value).toBe('two');
  },

  'a queue without a name gets one that begins with those of the stack and the resource': async (world) => {
    const { name } = await made(world);
    const { StackResourceSummaries = [] } = await world.client.send(
      new ListStackResourcesCommand({ StackName: name }),
    );
    const queue = StackResourceSummaries.find(({ LogicalResourceId }) => LogicalResourceId === 'Kept');
    expect(queue).toMatchObject({ ResourceType: 'AWS::SQS::Queue', ResourceStatus: 'CREATE_COMPLETE' });
    expect(queue?.PhysicalResourceId?.split('/').at(-1)).toMatch(new RegExp(`^${name}-Kept-`));
  },

  'the physical id of a role is its name, that of a queue its URL': async (world) => {
    const { name } = await made(world);
    const { StackResourceSummaries = [] } = await world.client.send(
      new ListStackResourcesCommand({ StackName: name }),
    );
    const idOf = (id: string) =>
      StackResourceSummaries.find(({ LogicalResourceId }) => LogicalResourceId === id)?.PhysicalResourceId;
    expect(idOf('Reader')).toBe(`${name}-reader`);
    expect(idOf('Kept')).toMatch(/^https?:/);
  },

  'a deleted stack takes its resources along, except those that its template retains': async (world) => {
    const { id, name } = await made(world);
    const { StackResourceSummaries = [] } = await world.client.send(
      new ListStackResourcesCommand({ StackName: name }),
    );
    const url = StackResourceSummaries.find(({ LogicalResourceId }) => LogicalResourceId === 'Kept');
    const QueueName = url?.PhysicalResourceId?.split('/').at(-1);
    await world.client.send(new DeleteStackCommand({ StackName: name }));
    await settled(world, id, 'DELETE_COMPLETE');
    await expect(world.ssm.send(new GetParameterCommand({ Name: `/${name}/note` }))).rejects.toMatchObject({
      name: 'ParameterNotFound',
    });
    expect((await world.sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl).toContain(QueueName);
  },

  'a deleted stack is described only by its id, and its name is free': async (world) => {
    const { id, name } = await made(world);
    await world.client.send(new DeleteStackCommand({ StackName: name }));
    await settled(world, id, 'DELETE_COMPLETE');
    await expect(stackOf(world, name)).rejects.toMatchObject({
      name: 'ValidationError',
      message: `Stack with id ${name} does not exist`,
    });
    const { Stacks = [] } = await world.client.send(new DescribeStacksCommand({}));
    expect(Stacks.map(({ StackName }) => StackName)).not.toContain(name);
    await create(world, name);
  },

  'a name that a stack has is refused': async (world) => {
    const { name } = await made(world);
    await expect(create(world, name)).rejects.toMatchObject({ name: 'AlreadyExistsException' });
  },

  'a stack that does not exist is deleted without an error': async ({ client }) => {
    await client.send(new DeleteStackCommand({ StackName: newName() }));
  },

  'a type that does not exist is refused before anything is made': async (world) => {
    const name = newName();
    const unknown = JSON.stringify({
      Parameters: { Value: { Type: 'String' } },
      Resources: { A: { Type: 'AWS::SQS::Kueue' } },
    });
    await expect(create(world, name, unknown)).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(stackOf(world, name)).rejects.toMatchObject({ name: 'ValidationError' });
  },
};
