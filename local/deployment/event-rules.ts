import type { RuleWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { readResources, type Stack } from './stack.ts';

const targetSchema = z.strictObject({
  Id: z.string(),
  Arn: z.string(),
  RoleArn: z.optional(z.string()),
  Input: z.optional(z.string()),
  InputTransformer: z.optional(
    z.strictObject({
      InputPathsMap: z.optional(z.record(z.string(), z.string())),
      InputTemplate: z.string(),
    }),
  ),
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

/** A call to a destination outside AWS would leave the sandbox. */
function isSimulated(stack: Stack, logicalId: string, { Id, Arn }: z.output<typeof targetSchema>): boolean {
  const isOutside = Arn.includes(':api-destination/');
  if (isOutside) stack.ignored.push({ what: `${logicalId}.${Id}`, why: 'the sandbox calls no chat' });
  return !isOutside;
}

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
      targets: properties.Targets.filter((target) => isSimulated(stack, logicalId, target)),
    };
  });
}
