import type { Cases } from '../../../truth/contract.ts';
import { all, allow, decides, deny, type IamWorld, policy, refused } from './support.ts';

const group =
  'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0:autoScalingGroupName/workers';
const setCapacity = { action: 'autoscaling:SetDesiredCapacity', resource: group };
const onGroup = (Resource: string) => [allow({ Action: 'autoscaling:*', Resource })];
const { Action: _, ...withoutAction } = allow();
const { Resource: __, ...withoutResource } = allow();
const team = (value: string) => ({ context: { 'aws:PrincipalTag/team': value } });
const inTeam = (resource: string) => [allow({ Resource: `arn:aws:s3:::bucket/${resource}` })];

/** Statements: effects, actions, resources and the variables in them (IAM user guide, "IAM JSON policy elements"). */
export const statementCases: Cases<IamWorld> = {
  'an action is denied unless a statement allows it, and a deny overrides every allow': all(
    decides([], 'implicit-deny'),
    decides([allow()], 'allowed'),
    decides([allow(), deny()], 'explicit-deny'),
    decides([deny({ Action: 's3:PutObject' }), allow()], 'allowed'),
    decides([deny()], 'explicit-deny'),
  ),
  'actions match with wildcards and ignore case': all(
    decides([allow({ Action: 'S3:getobject' })], 'allowed'),
    decides([allow({ Action: ['sqs:*', 's3:Get*'] })], 'allowed'),
    decides([allow({ Action: 's3:Get?bject' })], 'allowed'),
    decides([allow({ Action: 's3:GetObjec' })], 'implicit-deny'),
    decides([allow({ Action: 's3:GetObject?' })], 'implicit-deny'),
    decides([allow({ Action: '*' })], 'allowed'),
    decides([allow({ Action: [] })], 'implicit-deny'),
  ),
  'NotAction matches every other action, also of other services': all(
    decides([{ ...withoutAction, NotAction: 's3:Put*' }], 'allowed'),
    decides([{ ...withoutAction, NotAction: ['sqs:*', 's3:Get*'] }], 'implicit-deny'),
    decides([allow(), { ...withoutAction, Effect: 'Deny', NotAction: 'sqs:*' }], 'explicit-deny'),
  ),
  'resources match with wildcards per component, and respect case': all(
    decides(
      onGroup('arn:aws:autoscaling:*:123456789012:autoScalingGroup:*:autoScalingGroupName/work*'),
      'allowed',
      setCapacity,
    ),
    decides(onGroup('arn:aws:autoscaling:eu-*:*:autoScalingGroup:*'), 'allowed', setCapacity),
    decides(onGroup('arn:aws:autoscaling:*:*:*workers'), 'allowed', setCapacity),
    decides(onGroup('arn:aws:autoscaling:*:*:autoScalingGroup:*/worker?'), 'allowed', setCapacity),
    decides(onGroup('arn:aws:autoscaling:*:*:autoScalingGroup:*/Workers'), 'implicit-deny', setCapacity),
    decides(
      onGroup('arn:aws:autoscaling:us-east-1:*:autoScalingGroup:*/workers'),
      'implicit-deny',
      setCapacity,
    ),
    decides(onGroup('arn:aws:autoscaling:*:210987654321:*'), 'implicit-deny', setCapacity),
    decides(onGroup('arn:aws:auto*workers'), 'implicit-deny', setCapacity),
    decides([allow({ Resource: 'arn:aws:s3:::buc*y' })], 'allowed'),
    decides([allow({ Resource: [] })], 'implicit-deny'),
  ),
  'missing components at the end of a resource match anything': all(
    decides(onGroup('arn:aws:autoscaling'), 'allowed', setCapacity),
    decides(onGroup('arn:aws:autoscaling:eu-west-1'), 'allowed', setCapacity),
    decides(onGroup('arn:aws:autoscaling:us-*'), 'implicit-deny', setCapacity),
  ),
  'NotResource matches every other resource': all(
    decides([{ ...withoutResource, NotResource: 'arn:aws:s3:::other/*' }], 'allowed'),
    decides([{ ...withoutResource, NotResource: 'arn:aws:s3:::bucket/*' }], 'implicit-deny'),
    decides([{ ...withoutResource, NotResource: '*' }], 'implicit-deny'),
  ),
  'an action without resources needs the resource *': all(
    decides([allow({ Action: 'ec2:*' })], 'allowed', { action: 'ec2:DescribeInstances', resource: '*' }),
    decides([allow({ Action: 'ec2:*', Resource: 'arn:aws:ec2:*:*:instance/*' })], 'implicit-deny', {
      action: 'ec2:DescribeInstances',
      resource: '*',
    }),
  ),
  'a policy variable in a resource is replaced literally': all(
    decides(inTeam('${aws:PrincipalTag/team}y'), 'allowed', team('ke')),
    decides(inTeam('${AWS:principaltag/Team}*'), 'allowed', team('k')),
    decides(inTeam('${aws:PrincipalTag/team}'), 'implicit-deny', team('k*')),
    decides(inTeam('${aws:PrincipalTag/team}'), 'implicit-deny', team('k.y')),
    decides(inTeam('${aws:PrincipalTag/team}'), 'implicit-deny'),
  ),
  'a policy variable of a multivalued key has no value': decides(inTeam('${aws:TagKeys}'), 'implicit-deny', {
    context: { 'aws:TagKeys': ['key'] },
  }),
  'a resource with a variable without value matches nothing': decides(
    [deny({ Resource: 'arn:aws:s3:::bucket/${aws:PrincipalTag/team}*' }), allow()],
    'allowed',
  ),
  'a NotResource with a variable without value excludes nothing': decides(
    [{ ...withoutResource, NotResource: 'arn:aws:s3:::bucket/${aws:PrincipalTag/team}*' }],
    'allowed',
  ),
  'a policy variable can have a default value': all(
    decides(inTeam("${aws:PrincipalTag/team, 'key'}"), 'allowed'),
    decides(inTeam("${aws:PrincipalTag/team, 'k*'}"), 'implicit-deny'),
    decides(inTeam("${aws:PrincipalTag/team, 'key'}"), 'implicit-deny', team('x')),
  ),
  '${*}, ${?} and ${$} are literal characters': all(
    decides(inTeam('${*}'), 'implicit-deny'),
    decides(inTeam('ke${?}'), 'implicit-deny'),
    decides(inTeam('k${$}y'), 'allowed', { resource: 'arn:aws:s3:::bucket/k$y' }),
  ),
  'a policy of the version 2008-10-17 has no variables': async ({ decide }) => {
    const question = { action: 's3:GetObject', resource: 'arn:aws:s3:::bucket/x', ...team('x') };
    for (const Version of ['2008-10-17', undefined]) {
      const document = { ...policy(...inTeam('${aws:PrincipalTag/team}')), Version };
      await expectDecision(decide({ ...question, policies: [document] }), 'implicit-deny');
    }
  },
  'a policy with unknown or conflicting elements is refused': refused(
    allow({ Conditions: {} }),
    allow({ NotAction: 's3:*' }),
    allow({ NotResource: 'arn:aws:s3:::bucket' }),
    allow({ Effect: 'allow' }),
    allow({ Principal: '*' }),
    withoutAction,
    withoutResource,
  ),
  'an action needs a service prefix': refused(
    allow({ Action: 'GetObject' }),
    allow({ Action: '*:GetObject' }),
  ),
  'a resource must be an ARN or *': refused(allow({ Resource: 'bucket' }), allow({ Resource: 'bucket/*' })),
};

async function expectDecision(decided: Promise<string>, expected: string): Promise<void> {
  const decision = await decided;
  if (decision !== expected) throw new Error(`${decision}, not ${expected}`);
}
