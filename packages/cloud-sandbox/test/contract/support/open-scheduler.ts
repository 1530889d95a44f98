import { CreateRoleCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import {
  CreateScheduleCommand,
  CreateScheduleGroupCommand,
  GetScheduleGroupCommand,
} from '@aws-sdk/client-scheduler';
import type { SchedulerWorld } from '../scheduler/world.ts';
import type { OpenAccount } from './account.ts';
import { newName } from './new-name.ts';

interface SchedulerRole {
  readonly roleArn: string;
  /** A schedule group, and when it was created by `now` of the account. */
  readonly groupName: string;
  readonly createdAt: number;
}

const trustPolicy = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { Service: 'scheduler.amazonaws.com' }, Action: 'sts:AssumeRole' },
  ],
};
const sendMessages = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' }],
};

/**
 * A role with which schedules send to queues. Scheduler refuses a role until IAM shows it everywhere, which takes some seconds: then it has been
 * accepted once.
 *
 * @throws what Scheduler answers after two minutes
 */
async function openSchedulerRole(account: OpenAccount, name: string): Promise<SchedulerRole> {
  const { iam, scheduler } = account.clients;
  const { Role } = await iam.send(
    new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: JSON.stringify(trustPolicy) }),
  );
  await iam.send(
    new PutRolePolicyCommand({
      RoleName: name,
      PolicyName: 'send',
      PolicyDocument: JSON.stringify(sendMessages),
    }),
  );
  const createdAt = account.now();
  await scheduler.send(new CreateScheduleGroupCommand({ Name: name }));
  const roleArn = Role?.Arn ?? '';
  const probe = new CreateScheduleCommand({
    Name: name,
    GroupName: name,
    State: 'DISABLED',
    ScheduleExpression: 'rate(1 day)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: roleArn.replace(/^arn:aws:iam::(\d*):.*$/, `arn:aws:sqs:${account.region}:$1:none`),
      RoleArn: roleArn,
    },
  });
  for (let tries = 1; ; tries += 1)
    try {
      await scheduler.send(probe);
      // Accepted by one host of Scheduler: the others follow.
      await account.pass(10);
      return { roleArn, groupName: name, createdAt };
    } catch (error) {
      if (tries === 24 || !isUnknownYet(error)) throw error;
      await account.pass(5);
    }
}

const isUnknownYet = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationException' && /role/i.test(error.message);

/** "EventBridge Scheduler provides at-least-once event delivery" with a precision of 60 seconds (user guide, "What is"). */
const precisionSeconds = 75;

/** One role for all cases of an account. */
const roles = new WeakMap<OpenAccount['clients'], Promise<SchedulerRole>>();

/** Scheduler in an account, with the account's time: it runs `at(...)` by its own clock. */
export async function openScheduler(account: OpenAccount): Promise<SchedulerWorld> {
  const { clients, region, now, pass } = account;
  const { scheduler: client, sqs } = clients;
  const known = roles.get(clients) ?? openSchedulerRole(account, newName());
  roles.set(clients, known);
  const { roleArn, groupName, createdAt } = await known;
  const { CreationDate } = await client.send(new GetScheduleGroupCommand({ Name: groupName }));
  const offset = (CreationDate?.getTime() ?? Number.NaN) - createdAt;
  return { client, sqs, clock: { now: () => offset + now() }, pass, roleArn, region, precisionSeconds };
}
