import type { PolicyDocument, Wiring } from '@drover/cloud-sandbox';

type Statement = PolicyDocument['Statement'][number];

const without = (document: PolicyDocument, isTaken: (statement: Statement) => boolean): PolicyDocument => ({
  ...document,
  Statement: document.Statement.filter((statement) => !isTaken(statement)),
});

/** The deployment without one statement of one queue's policy. */
export const withoutQueueStatement =
  (queueName: RegExp, sid: string) =>
  (wiring: Wiring): Wiring => ({
    ...wiring,
    queues: wiring.queues.map((queue) => {
      const { Policy } = queue.attributes;
      if (!queueName.test(queue.queueName) || Policy === undefined) return queue;
      const document = without(JSON.parse(Policy) as PolicyDocument, ({ Sid }) => Sid === sid);
      return { ...queue, attributes: { ...queue.attributes, Policy: JSON.stringify(document) } };
    }),
  });

/** The deployment with one statement of one role replaced, or left out where nothing is given for it. */
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
