import * as z from 'zod/mini';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const terminationFields = {
  instanceId: z.string(),
  autoScalingGroupName: z.string(),
  lowersDesiredCapacity: z.boolean(),
  reason: z.string().check(z.describe('What becomes of the node, and whether another instance is launched')),
};

export const termination = z
  .object({
    ...terminationFields,
    status: z.string().check(z.describe('The link for the state of the instance; also in Location')),
  })
  .check(z.meta({ id: 'Termination', description: 'An accepted termination' }));

export const terminationPlan = z
  .object({ ...terminationFields, dryRun: z.literal(true) })
  .check(z.meta({ id: 'TerminationPlan', description: 'The result of a dry run, which changes nothing' }));
