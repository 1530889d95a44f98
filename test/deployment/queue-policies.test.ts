import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { Resources } from '../../scripts/deployment/template-plugin.ts';
import { chosenResources } from '../support/conditions.ts';

type Statement = Readonly<Record<string, unknown>>;
interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}
type QueuePolicies = (context: {
  readonly resolveVariable: (name: string) => Promise<string>;
}) => Promise<{ readonly Resources: Resources }>;

const queuePolicies = createRequire(import.meta.url)('../../deploy/queue-policies.cjs') as QueuePolicies;

async function statementsWith(
  parameters: Readonly<Record<string, string>>,
  queue = 'InboxQueue',
): Promise<readonly Statement[]> {
  const { Resources } = await queuePolicies({
    resolveVariable: (name) => Promise.resolve(parameters[name.replace('param:', '')] ?? ''),
  });
  const policy = chosenResources(Resources, parameters)[`${queue}Policy`]?.Properties;
  return (policy as Policy | undefined)?.PolicyDocument.Statement ?? [];
}

test('the inbox takes no messages from topics unless the deployment names one', async () => {
  expect((await statementsWith({})).map(({ Sid }) => Sid)).not.toContain('HookTopic');
});

test.each([
  ['hooks', { 'Fn::Sub': 'arn:${AWS::Partition}:sns:${AWS::Region}:${AWS::AccountId}:hooks' }],
  ['arn:aws:sns:eu-west-1:210987654321:hooks', 'arn:aws:sns:eu-west-1:210987654321:hooks'],
])('the inbox takes messages from the topic %s that the deployment names', async (hookTopic, arn) => {
  const statements = await statementsWith({ hookTopic });
  expect(statements.find(({ Sid }) => Sid === 'HookTopic')).toMatchObject({
    Principal: { Service: 'sns.amazonaws.com' },
    Condition: { ArnLike: { 'aws:SourceArn': arn } },
  });
});

test('the named operator role may send beside Drover’s own roles', async () => {
  const operatorRole = 'arn:aws:iam::123456789012:role/operator';
  const statements = await statementsWith({ operatorRole });
  expect(statements.find(({ Sid }) => Sid === 'OnlyNamedSenders')).toMatchObject({
    Condition: {
      ArnNotLike: {
        'aws:PrincipalArn': [{ 'Fn::GetAtt': ['HookNotificationRole', 'Arn'] }, operatorRole],
      },
    },
  });
});

test.each([
  ['off', undefined],
  ['on', { 'aws:PrincipalArn': [{ 'Fn::GetAtt': ['BootstrapCredentialRole', 'Arn'] }] }],
])(
  'with the bootstrap credential %s, the queue of undelivered events names only roles that exist',
  async (bootstrap, roles) => {
    const statements = await statementsWith({ bootstrap }, 'UndeliveredQueue');
    expect(statements.find(({ Sid }) => Sid === 'OnlyNamedSenders')?.['Condition']).toEqual({
      BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
      ...(roles && { ArnNotLike: roles }),
    });
  },
);

test.each([
  ['off', undefined],
  ['on', { 'Fn::GetAtt': ['ScaleApiRole', 'Arn'] }],
])('with the scale API %s, the queue of rolls names only roles that exist', async (scaleApi, role) => {
  const statements = await statementsWith({ scaleApi, rolls: 'on' }, 'RollQueue');
  expect(statements.find(({ Sid }) => Sid === 'OnlyNamedSenders')?.['Condition']).toMatchObject({
    ArnNotLike: { 'aws:PrincipalArn': [{ 'Fn::GetAtt': ['RollRole', 'Arn'] }, ...(role ? [role] : [])] },
  });
});
