import { shellWord } from '../../shared/base/shell-words.ts';
import type { TestableAlarm } from './alarms.ts';

/** What an action of an alarm does, by its ARN. */
export type ActionKind = 'topic' | 'other' | 'machine';

/**
 * `machine`: it stops instances or changes a capacity, which a test must not do. `other`: it starts something of the account, such as a function
 * or an incident. Pure.
 */
export function kindOfAction(arn: string): ActionKind {
  const service = arn.split(':')[2];
  if (service === 'sns') return 'topic';
  return ['automate', 'swf', 'autoscaling', 'ec2'].includes(service ?? '') ? 'machine' : 'other';
}

/** Why an alarm is not tested; undefined: it may be. Pure. */
export function refusalOf({ name, state, reason, actsAtAll, actions }: TestableAlarm): string | undefined {
  if (state === 'ALARM')
    return `${name} is raised already, so no message would be sent, and setting it back would hide why: ${reason}`;
  if (!actsAtAll)
    return `the actions of ${name} are turned off, so it notifies no one: aws cloudwatch enable-alarm-actions --alarm-names ${shellWord(name)}`;
  if (actions.length === 0)
    return `${name} notifies no one: it has no action for ALARM. Deploy again, which restores its topic`;
  const machines = actions.filter((action) => kindOfAction(action) === 'machine');
  if (machines.length > 0)
    return `${name} does more than notify someone, so it is not tested: ${machines.join(', ')}`;
  return undefined;
}
