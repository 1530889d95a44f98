import { CloudFormationClient, CreateStackCommand } from '@aws-sdk/client-cloudformation';
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  GetRoleCommand,
  IAMClient,
  ListRolePoliciesCommand,
  PutRolePolicyCommand,
  paginateListRoles,
} from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

const statement = (parts: object): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...parts }] });
const trust = statement({ Principal: { AWS: '123456789012' }, Action: 'sts:AssumeRole' });

function opened() {
  const sandbox = createSandbox();
  const iam = new IAMClient(sandbox.aws());
  const create = (RoleName: string, PermissionsBoundary?: string) =>
    iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust, PermissionsBoundary }));
  return { sandbox, iam, create };
}

test('a created role is shown with its trust policy and boundary, and can be assumed', async () => {
  const { sandbox, iam, create } = opened();
  const boundary = 'arn:aws:iam::aws:policy/AmazonSQSFullAccess';
  await create('sender', boundary);
  const { Role } = await iam.send(new GetRoleCommand({ RoleName: 'sender' }));
  expect(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? '')).toBe(trust);
  expect(Role?.PermissionsBoundary?.PermissionsBoundaryArn).toBe(boundary);
  const assume = new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'test' });
  expect((await new STSClient(sandbox.aws()).send(assume)).Credentials).toBeDefined();
});

test('a second role of a name, and a policy that is not JSON, are refused', async () => {
  const { iam, create } = opened();
  await create('sender');
  await expect(create('sender')).rejects.toMatchObject({ name: 'EntityAlreadyExistsException' });
  const broken = new CreateRoleCommand({ RoleName: 'other', AssumeRolePolicyDocument: '{' });
  await expect(iam.send(broken)).rejects.toMatchObject({ name: 'MalformedPolicyDocumentException' });
});

test('a role has the rights of its inline policies until they are deleted', async () => {
  const { sandbox, iam, create } = opened();
  const { Role } = await create('sender');
  const policy = { RoleName: 'sender', PolicyName: 'send' };
  const PolicyDocument = statement({ Action: 'sqs:SendMessage', Resource: '*' });
  await iam.send(new PutRolePolicyCommand({ ...policy, PolicyDocument }));
  const rights = () => sandbox.account.iam.role(Role?.Arn ?? '')?.policies;
  expect(rights()).toHaveLength(1);
  await iam.send(new DeleteRolePolicyCommand(policy));
  expect(rights()).toEqual([]);
  await expect(iam.send(new DeleteRolePolicyCommand(policy))).rejects.toMatchObject({
    name: 'NoSuchEntityException',
  });
});

test('a role with policies is not deleted, and one without is gone', async () => {
  const { iam, create } = opened();
  await create('sender');
  const policy = { RoleName: 'sender', PolicyName: 'send' };
  const PolicyDocument = statement({ Action: 'sqs:SendMessage', Resource: '*' });
  await iam.send(new PutRolePolicyCommand({ ...policy, PolicyDocument }));
  const remove = () => iam.send(new DeleteRoleCommand({ RoleName: 'sender' }));
  await expect(remove()).rejects.toMatchObject({ name: 'DeleteConflictException' });
  const listed = await iam.send(new ListRolePoliciesCommand({ RoleName: 'sender' }));
  expect(listed.PolicyNames).toEqual(['send']);
  await iam.send(new DeleteRolePolicyCommand(policy));
  await remove();
  await expect(remove()).rejects.toMatchObject({ name: 'NoSuchEntityException' });
});

test('roles are listed in pages', async () => {
  const { iam, create } = opened();
  for (const name of ['a', 'b', 'c']) await create(name);
  const names: (string | undefined)[] = [];
  for await (const { Roles = [] } of paginateListRoles({ client: iam, pageSize: 2 }, {}))
    names.push(...Roles.map(({ RoleName }) => RoleName));
  expect(names).toEqual(['a', 'b', 'c']);
});

describe('a role that CreateRole did not make', () => {
  const right = (action: string) => JSON.parse(statement({ Action: action, Resource: '*' })) as object;
  const boundary = 'arn:aws:iam::aws:policy/AmazonSQSFullAccess';

  const ofTemplate = () => {
    const { sandbox, iam } = opened();
    const policies = [right('sqs:SendMessage'), right('sqs:ReceiveMessage')];
    sandbox.account.iam.putRole({ roleName: 'team/worker', policies, trustPolicy: JSON.parse(trust) });
    return { sandbox, iam, RoleName: 'worker' };
  };

  const ofStack = async () => {
    const { sandbox, iam } = opened();
    const Properties = {
      RoleName: 'worker',
      AssumeRolePolicyDocument: JSON.parse(trust) as object,
      PermissionsBoundary: boundary,
      Policies: [
        { PolicyName: 'send', PolicyDocument: right('sqs:SendMessage') },
        { PolicyName: 'receive', PolicyDocument: right('sqs:ReceiveMessage') },
      ],
    };
    const TemplateBody = JSON.stringify({ Resources: { Worker: { Type: 'AWS::IAM::Role', Properties } } });
    const stack = new CreateStackCommand({ StackName: 'roles', TemplateBody });
    await new CloudFormationClient(sandbox.aws()).send(stack);
    await sandbox.pass(10);
    return { sandbox, iam, RoleName: 'worker' };
  };

  const actionsOf = ({ sandbox, RoleName }: Awaited<ReturnType<typeof ofStack>>) =>
    sandbox.account.iam
      .roleNamed(RoleName)
      ?.policies.flatMap((statements) => statements.flatMap(({ actions }) => actions.patterns));

  test.each([
    { maker: 'the template', make: ofTemplate },
    { maker: 'a stack', make: ofStack },
  ])('keeps its rights if $maker made it and it gets one more policy', async ({ make }) => {
    const world = await make();
    const { sandbox, iam, RoleName } = world;
    const PolicyDocument = statement({ Action: 'sqs:DeleteMessage', Resource: '*' });
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'delete', PolicyDocument }));
    expect(actionsOf(world)).toEqual(['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage']);
    expect(sandbox.account.iam.roles()).toHaveLength(1);
  });

  test.each([
    { maker: 'the template', make: ofTemplate },
    { maker: 'a stack', make: ofStack },
  ])('is deleted only after its policies, which are listed, if $maker made it', async ({ make }) => {
    const { iam, RoleName } = await make();
    const remove = () => iam.send(new DeleteRoleCommand({ RoleName }));
    await expect(remove()).rejects.toMatchObject({ name: 'DeleteConflictException' });
    const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
    expect(PolicyNames).toHaveLength(2);
    for (const PolicyName of PolicyNames)
      await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
    await remove();
    await expect(remove()).rejects.toMatchObject({ name: 'NoSuchEntityException' });
  });

  test('has the boundary and the names of policies that its stack gives it, also after a change', async () => {
    const { iam, RoleName } = await ofStack();
    const PolicyDocument = statement({ Action: 'sqs:PurgeQueue', Resource: '*' });
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'send', PolicyDocument }));
    const { PolicyNames } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
    expect(PolicyNames).toEqual(['send', 'receive']);
    const { Role } = await iam.send(new GetRoleCommand({ RoleName }));
    expect(Role?.PermissionsBoundary?.PermissionsBoundaryArn).toBe(boundary);
  });
});
