import { sandboxIam } from '@drover/cloud-sandbox/test/contract/iam/sandbox-iam.ts';
import { describe, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';

const { roles } = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });

type Context = Readonly<Record<string, string | readonly string[]>>;

/** Whether the role of a function may do this to this resource. */
async function decide(functionName: string, action: string, [resource, context]: readonly [string, Context]) {
  const role = roles.find(({ roleName }) => roleName.endsWith(`-${functionName}`));
  if (role === undefined) throw new Error(`${functionName} has no role`);
  const policies = role.policies.map(({ document }) => document);
  return await sandboxIam.decide({ action, resource, context, policies });
}

const managed = { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'owned' };

describe.each(['prewarm', 'scale-api'])('the role of %s', (functionName) => {
  const update = (context: Context) =>
    decide(functionName, 'autoscaling:UpdateAutoScalingGroup', [
      'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:0f1e:autoScalingGroupName/workers',
      { ...managed, ...context },
    ]);

  test.each<readonly [string, Context]>([
    ['MinSize', { 'autoscaling:MinSize': '5' }],
    ['a MaxSize of maxSizeLimit, as raiseMaxSize may ask for', { 'autoscaling:MaxSize': '100' }],
    ['a smaller MaxSize, when a hold ends', { 'autoscaling:MinSize': '0', 'autoscaling:MaxSize': '10' }],
    [
      'sizes, if AWS sends the key of templates without one',
      { 'autoscaling:LaunchTemplateVersionSpecified': 'false' },
    ],
  ])('changes %s of a managed group', async (_, context) => {
    expect(await update(context)).toBe('allowed');
  });

  test.each<readonly [string, Context]>([
    ['a MaxSize above maxSizeLimit', { 'autoscaling:MaxSize': '101' }],
    ['the version of a launch template', { 'autoscaling:LaunchTemplateVersionSpecified': 'true' }],
    ['a launch configuration', { 'autoscaling:LaunchConfigurationName': 'theirs' }],
    ['instance types', { 'autoscaling:InstanceTypes': ['p5.48xlarge'] }],
    ['subnets', { 'autoscaling:VPCZoneIdentifiers': ['subnet-1'] }],
    ['a group of another cluster', { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'other' }],
  ])('does not change %s', async (_, context) => {
    expect(await update(context)).toBe('implicit-deny');
  });

  test('starts no instances, which AWS asks of a caller who names a launch template', async () => {
    const instance = ['arn:aws:ec2:eu-west-1:123456789012:instance/*', {}] as const;
    expect(await decide(functionName, 'ec2:RunInstances', instance)).toBe('implicit-deny');
  });
});

test.each<readonly [string, Context, string]>([
  ['managed group', { ...managed, 'aws:ResourceTag/aws:autoscaling:groupName': 'workers' }, 'allowed'],
  ['foreign group', { 'aws:ResourceTag/aws:autoscaling:groupName': 'databases' }, 'implicit-deny'],
  ['tag without a group', managed, 'implicit-deny'],
])('the console of an instance with a %s: %j', async (_, context, decision) => {
  const instance = 'arn:aws:ec2:eu-west-1:123456789012:instance/i-1';
  expect(await decide('node-joining', 'ec2:GetConsoleOutput', [instance, context])).toBe(decision);
});
