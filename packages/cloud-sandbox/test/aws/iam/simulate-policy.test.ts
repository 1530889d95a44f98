import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { beforeEach, expect, test } from 'vitest';
import { createIam } from '../../../src/aws/iam/iam.ts';
import { createIamApi } from '../../../src/aws/iam/iam-api.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront } from '../support/test-front.ts';

const roleArn = `arn:aws:iam::${accountId}:role/worker`;
const queueArn = `arn:aws:sqs:eu-west-1:${accountId}:work`;
let client: IAMClient;

beforeEach(() => {
  const clock = createManualClock();
  const iam = createIam({ clock, random: createRandom(3), accountId });
  const document = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: 'sqs:*', Resource: queueArn },
      { Effect: 'Deny', Action: 'sqs:DeleteQueue', Resource: '*' },
      {
        Effect: 'Allow',
        Action: 'ec2:TerminateInstances',
        Resource: '*',
        Condition: {
          StringEquals: { 'aws:ResourceTag/team': 'blue' },
          'ForAllValues:StringEquals': { 'aws:TagKeys': ['team', 'cost'] },
        },
      },
    ],
  };
  const trustPolicy = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
    ],
  };
  iam.putRole({ roleName: 'worker', policies: [document], trustPolicy });
  const { clientOptions } = createTestFront({ services: [createIamApi({ iam, accountId })], clock });
  client = new IAMClient(clientOptions);
});

async function decisions(
  question: Partial<ConstructorParameters<typeof SimulatePrincipalPolicyCommand>[0]>,
): Promise<readonly (string | undefined)[]> {
  const input = { PolicySourceArn: roleArn, ActionNames: [], ...question };
  const { EvaluationResults = [] } = await client.send(new SimulatePrincipalPolicyCommand(input));
  return EvaluationResults.map(({ EvalDecision }) => EvalDecision);
}

test('each action is decided on each resource', async () => {
  const ActionNames = ['sqs:SendMessage', 'sqs:DeleteQueue', 's3:GetObject'];
  expect(await decisions({ ActionNames, ResourceArns: [queueArn, `${queueArn}x`] })).toEqual([
    'allowed',
    'implicitDeny',
    'explicitDeny',
    'explicitDeny',
    'implicitDeny',
    'implicitDeny',
  ]);
});

test('a request without resources is about all of them, which is not a queue', async () => {
  expect(await decisions({ ActionNames: ['sqs:SendMessage'] })).toEqual(['implicitDeny']);
});

test('a condition counts only with its key in the context, and a list has each of its values', async () => {
  const ActionNames = ['ec2:TerminateInstances'];
  const tag = { ContextKeyName: 'aws:ResourceTag/team', ContextKeyType: 'string' as const };
  const keys = { ContextKeyName: 'aws:TagKeys', ContextKeyType: 'stringList' as const };
  const blue = { ...tag, ContextKeyValues: ['blue'] };
  expect(await decisions({ ActionNames })).toEqual(['implicitDeny']);
  expect(await decisions({ ActionNames, ContextEntries: [blue] })).toEqual(['allowed']);
  const more = (ContextKeyValues: string[]) => [blue, { ...keys, ContextKeyValues }];
  expect(await decisions({ ActionNames, ContextEntries: more(['team', 'cost']) })).toEqual(['allowed']);
  expect(await decisions({ ActionNames, ContextEntries: more(['team', 'x']) })).toEqual(['implicitDeny']);
});

test('missing keys are those of all policies, whichever action has them', async () => {
  const { EvaluationResults: [result] = [] } = await client.send(
    new SimulatePrincipalPolicyCommand({
      PolicySourceArn: roleArn,
      ActionNames: ['sqs:SendMessage'],
      ContextEntries: [
        { ContextKeyName: 'AWS:resourcetag/team', ContextKeyType: 'string', ContextKeyValues: ['red'] },
      ],
    }),
  );
  expect(result?.MissingContextValues).toEqual(['aws:TagKeys']);
});

test('a role that does not exist is not found', async () => {
  await expect(decisions({ PolicySourceArn: `${roleArn}x` })).rejects.toMatchObject({
    name: 'NoSuchEntityException',
    message: 'The role with name workerx cannot be found.',
  });
});
