import { tagContext } from '../context.ts';
import { passRole, type RuleQuestion, records, requestTagContext, type ServiceRule, text } from './rule.ts';

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

/** Amazon EC2 Auto Scaling: what describes takes only `*`; every other action is authorized on the group and its tags. */
export const autoScalingRule: ServiceRule = (question) => {
  const action = `autoscaling:${question.operation}`;
  if (question.operation.startsWith('Describe') || question.operation.startsWith('Get')) {
    return [{ action, resource: '*' }];
  }
  const onGroups = groupNames(question).map((name) => {
    const resource = groupArn(question, name);
    const tags = tagContext(['aws:ResourceTag', 'autoscaling:ResourceTag'], question.lookup.tags(resource));
    return {
      action,
      resource,
      context: { ...tags, ...requestTagContext(records(question.input, 'Tags')), ...sizes(question) },
    };
  });
  return [...onGroups, ...passRole(text(question.input, 'RoleARN'), 'autoscaling.amazonaws.com')];
};
