import { type PolicyContext, tagContext } from '../context.ts';
import {
  type Input,
  passRole,
  type Requirement,
  type RuleQuestion,
  records,
  requestTagContext,
  type ServiceRule,
  text,
} from './rule.ts';

/** A group that does not exist still has a name: the permission is asked for before existence. */
const groupArn = ({ accountId, region, lookup }: RuleQuestion, name: string): string =>
  lookup.autoScalingGroupArn(name) ??
  `arn:aws:autoscaling:${region}:${accountId}:autoScalingGroup:*:autoScalingGroupName/${name}`;

const groupNames = ({ input, lookup }: RuleQuestion): readonly string[] => {
  const named = text(input, 'AutoScalingGroupName');
  if (named !== undefined) return [named];
  const tagged = records(input, 'Tags').flatMap((tag) => text(tag, 'ResourceId') ?? []);
  if (tagged.length > 0) return [...new Set(tagged)];
  return [lookup.autoScalingGroupOfInstance(text(input, 'InstanceId') ?? '') ?? '*'];
};

const sizes = ({ input }: RuleQuestion): Record<string, string | undefined> => ({
  'autoscaling:MinSize': typeof input['MinSize'] === 'number' ? String(input['MinSize']) : undefined,
  'autoscaling:MaxSize': typeof input['MaxSize'] === 'number' ? String(input['MaxSize']) : undefined,
});

const record = (input: Input, name: string): Input | undefined => {
  const value = input[name];
  return typeof value === 'object' && value !== null ? (value as Input) : undefined;
};

/** The launch templates that a call names. */
function launchTemplates(input: Input): readonly Input[] {
  const mixed = record(input, 'MixedInstancesPolicy');
  const inMixed = mixed && record(mixed, 'LaunchTemplate');
  return [record(input, 'LaunchTemplate'), inMixed && record(inMixed, 'LaunchTemplateSpecification')].filter(
    (found) => found !== undefined,
  );
}

/** A number is a version that is specified; `$Latest`, `$Default` and none are not (user guide, "Control launch template usage"). */
const isSpecified = (template: Input): boolean => /^\d+$/.test(text(template, 'Version') ?? '');

/** What a group launches, and where. A key is absent if the call does not set it. */
function launches({ input }: RuleQuestion): PolicyContext {
  const templates = launchTemplates(input);
  const mixed = record(input, 'MixedInstancesPolicy');
  const overrides = mixed && records(record(mixed, 'LaunchTemplate') ?? {}, 'Overrides');
  const types = (overrides ?? []).flatMap((one) => text(one, 'InstanceType') ?? []);
  return {
    'autoscaling:LaunchConfigurationName': text(input, 'LaunchConfigurationName'),
    'autoscaling:LaunchTemplateVersionSpecified':
      templates.length === 0 ? undefined : String(templates.every(isSpecified)),
    'autoscaling:InstanceTypes': types.length === 0 ? undefined : types,
    'autoscaling:VPCZoneIdentifiers': text(input, 'VPCZoneIdentifier')?.split(','),
  };
}

/** "You must also have ec2:RunInstances" of callers who give a group a launch template (user guide, "Control launch template usage"). */
const runInstances = ({ input, accountId, region }: RuleQuestion): readonly Requirement[] =>
  launchTemplates(input).length === 0
    ? []
    : [{ action: 'ec2:RunInstances', resource: `arn:aws:ec2:${region}:${accountId}:instance/*` }];

/** Amazon EC2 Auto Scaling: what describes and what sets the account take only `*`; every other action is authorized on the group and its tags. */
export const autoScalingRule: ServiceRule = (question) => {
  const action = `autoscaling:${question.operation}`;
  if (/^(Describe|Get|PutAccountSetting)/.test(question.operation)) {
    return [{ action, resource: '*' }];
  }
  const onGroups = groupNames(question).map((name) => {
    const resource = groupArn(question, name);
    const tags = tagContext(['aws:ResourceTag', 'autoscaling:ResourceTag'], question.lookup.tags(resource));
    return {
      action,
      resource,
      context: {
        ...tags,
        ...requestTagContext(records(question.input, 'Tags')),
        ...sizes(question),
        ...launches(question),
      },
    };
  });
  return [
    ...onGroups,
    ...runInstances(question),
    ...passRole(text(question.input, 'RoleARN'), 'autoscaling.amazonaws.com'),
  ];
};
