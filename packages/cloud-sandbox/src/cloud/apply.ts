import type { Account } from './account.ts';
import type { Wiring } from './wiring.ts';

/** Makes in the account what the template asks for, as CloudFormation would: roles, queues, topics, schedule groups, rules. */
export function applyWiring(account: Account, wiring: Wiring): void {
  account.lambdaApi.controls.deploy(wiring.functions);
  for (const { roleName, trustPolicy, policies } of wiring.roles)
    account.iam.putRole({
      roleName,
      trustPolicy,
      policies: new Map(policies.map(({ policyName, document }) => [policyName, document])),
    });
  for (const { queueName, attributes } of wiring.queues)
    account.sqs.operations.CreateQueue({ QueueName: queueName, Attributes: attributes });
  for (const { topicName, policy } of wiring.topics)
    account.sns.operations.CreateTopic({
      Name: topicName,
      ...(policy !== undefined && { Attributes: { Policy: policy } }),
    });
  for (const { name, tags } of wiring.scheduleGroups)
    account.scheduler.operations.CreateScheduleGroup({
      Name: name,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    });
  for (const { rule, targets } of wiring.rules) {
    account.events.operations.PutRule(rule);
    account.events.operations.PutTargets({ Rule: rule.Name, Targets: [...targets] });
  }
}
