import * as z from 'zod/mini';
import { capacity } from '../requests.ts';
import { instanceCounts, nodeCounts } from './group.ts';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const direction = z
  .enum(['out', 'in', 'none'])
  .check(
    z.describe(
      'out: nodes join. in: nodes are drained and terminated. none: the group already has that capacity',
    ),
  );

const changeFields = {
  autoScalingGroupName: z.string(),
  from: capacity(),
  desiredCapacity: capacity(),
  direction,
  maxSize: z.optional(capacity().check(z.describe('The new MaxSize of the group'))),
  reason: z.string(),
};

export const capacityChange = z
  .object({
    ...changeFields,
    status: z.string().check(z.describe('The link to the progress of the change, also in Location')),
  })
  .check(z.meta({ id: 'CapacityChange', description: 'An accepted change' }));

export const capacityPlan = z
  .object({
    ...changeFields,
    dryRun: z.literal(true),
  })
  .check(z.meta({ id: 'CapacityPlan', description: 'The result of a dry run, which changes nothing' }));

export const capacityStatus = z
  .object({
    autoScalingGroupName: z.string(),
    minSize: capacity(),
    maxSize: capacity(),
    desiredCapacity: capacity(),
    state: z
      .enum(['settled', 'scaling-out', 'scaling-in', 'superseded', 'unknown'])
      .check(
        z.describe(
          'settled: the nodes are Ready, or drained and terminated. superseded: the desired capacity of the group has changed again. unknown: the instances are in service, but the Nodes could not be listed',
        ),
      ),
    reason: z.string(),
    instances: instanceCounts,
    nodes: nodeCounts,
    waitingFor: z.array(z.object({ instanceId: z.string(), reason: z.string() })),
  })
  .check(z.meta({ id: 'CapacityStatus', description: 'The progress of the group towards its capacity' }));

const terminationFields = {
  instanceId: z.string(),
  autoScalingGroupName: z.string(),
  lowersDesiredCapacity: z.boolean(),
  reason: z.string().check(z.describe('What happens to the node, and whether another instance is launched')),
};

export const termination = z
  .object({
    ...terminationFields,
    status: z.string().check(z.describe('The link to the state of the instance, also in Location')),
  })
  .check(z.meta({ id: 'Termination', description: 'An accepted termination' }));

export const terminationPlan = z
  .object({ ...terminationFields, dryRun: z.literal(true) })
  .check(z.meta({ id: 'TerminationPlan', description: 'The result of a dry run, which changes nothing' }));
