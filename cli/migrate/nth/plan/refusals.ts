import type { Refusal } from '../../../adopt/plan/step.ts';

export const unreadableRecord = (subject: string): Refusal => ({
  subject,
  reason:
    'the record of its migration in the tags drover.dev/migrated-nth cannot be read: one of them was changed or removed',
  remedy: 'restore the tags, or hand the group over by hand: docs/adopt.md',
});

export const unknownGroup = (name: string): Refusal => ({
  subject: name,
  reason: 'there is no Auto Scaling group of this name in the account and region',
  remedy: 'aws autoscaling describe-auto-scaling-groups --query AutoScalingGroups[].AutoScalingGroupName',
});
