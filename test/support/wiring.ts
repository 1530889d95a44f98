import type { PolicyDocument, Wiring } from '@drover/cloud-sandbox';

type Statement = PolicyDocument['Statement'][number];

const without = (document: PolicyDocument, isTaken: (statement: Statement) => boolean): PolicyDocument => ({
  ...document,
  Statement: document.Statement.filter((statement) => !isTaken(statement)),
});

const withQueuePolicies =
  (queueName: RegExp, edit: (document: PolicyDocument, queueArn: string) => PolicyDocument) =>
  (wiring: Wiring): Wiring => ({
    ...wiring,
    queues: wiring.queues.map((queue) => {
      const { Policy } = queue.attributes;
      if (!queueName.test(queue.queueName) || Policy === undefined) return queue;
      const document = edit(JSON.parse(Policy) as PolicyDocument, queue.queueArn);
      return { ...queue, attributes: { ...queue.attributes, Policy: JSON.stringify(document) } };
    }),
  });

/** The deployment without one statement of one queue's policy. */
export const withoutQueueStatement = (queueName: RegExp, sid: string) =>
  withQueuePolicies(queueName, (document) => without(document, ({ Sid }) => Sid === sid));

/** The deployment with a topic whose messages the inbox takes, as the parameter hookTopic makes it. */
export const withHookTopic = (topicArn: string) =>
  withQueuePolicies(/-InboxQueue$/, (document, queueArn) => ({
    ...document,
    Statement: [
      ...document.Statement,
      {
        Sid: 'HookTopic',
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnLike: { 'aws:SourceArn': topicArn } },
      },
    ],
  }));

/** The deployment with one more role that may send to each queue, as the parameter operatorRole makes it. */
export const withSender = (roleArn: string) =>
  withQueuePolicies(/./, (document) => ({
    ...document,
    Statement: document.Statement.map((statement) => {
      const { ArnNotLike, ...rest } = (statement['Condition'] ?? {}) as Record<
        string,
        Record<string, unknown>
      >;
      if (ArnNotLike === undefined) return statement;
      const roles = [ArnNotLike['aws:PrincipalArn'], roleArn].flat();
      return { ...statement, Condition: { ...rest, ArnNotLike: { 'aws:PrincipalArn': roles } } };
    }),
  }));

/** The deployment with one statement of one role replaced, or removed if there is no replacement. */
export const withRoleStatement =
  (roleName: string, sid: string, replacement?: Statement) =>
  (wiring: Wiring): Wiring => ({
    ...wiring,
    roles: wiring.roles.map((role) =>
      role.roleName === roleName
        ? {
            ...role,
            policies: role.policies.map(({ policyName, document }) => ({
              policyName,
              document: {
                ...document,
                Statement: document.Statement.flatMap((statement): readonly Statement[] => {
                  if (statement['Sid'] !== sid) return [statement];
                  return replacement === undefined ? [] : [replacement];
                }),
              },
            })),
          }
        : role,
    ),
  });
