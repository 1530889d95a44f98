import type { RuleWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { readResources, type Stack } from './stack.ts';

const targetSchema = z.strictObject({
  Id: z.string(),
  Arn: z.string(),
  Input: z.optional(z.string()),
  RetryPolicy: z.optional(
    z.strictObject({
      MaximumEventAgeInSeconds: z.optional(z.number()),
      MaximumRetryAttempts: z.optional(z.number()),
    }),
  ),
  DeadLetterConfig: z.optional(z.strictObject({ Arn: z.string() })),
  SqsParameters: z.optional(z.strictObject({ MessageGroupId: z.string() })),
});

const ruleReader = {
  type: 'AWS::Events::Rule',
  schema: z.strictObject({
    Name: z.optional(z.string()),
    Description: z.optional(z.string()),
    EventPattern: z.optional(z.looseObject({})),
    ScheduleExpression: z.optional(z.string()),
    State: z.optional(z.enum(['ENABLED', 'DISABLED'])),
    Targets: z.array(targetSchema),
  }),
};

/** Event rules and schedules of the default bus. */
export function readRules(stack: Stack): readonly RuleWiring[] {
  return readResources(stack, ruleReader).map(({ logicalId, properties }) => {
    const where = `Resources.${logicalId}`;
    return {
      ruleArn: stack.references.getAttribute(logicalId, 'Arn', where),
      rule: {
        Name: String(stack.references.ref(logicalId, where)),
        ...(properties.Description && { Description: properties.Description }),
        State: properties.State ?? 'ENABLED',
        ...(properties.EventPattern && { EventPattern: JSON.stringify(properties.EventPattern) }),
        ...(properties.ScheduleExpression && { ScheduleExpression: properties.ScheduleExpression }),
      },
      targets: properties.Targets,
    };
  });
}
