import * as z from 'zod/mini';
import { capacity } from '../capacity-request.ts';
import { instanceCounts, nodeCounts } from './group.ts';

// Clients read answers by these schemas, and the OpenAPI document shows them; a function has but their types.

const direction = z
  .enum(['out', 'in', 'none'])
  .check(z.describe('out: nodes join; in: nodes are drained and go; none: it has that capacity already'));

const changeFields = {
  autoScalingGroupName: z.string(),
  from: capacity(),
  desiredCapacity: capacity(),
  direction,
  reason: z.string(),
};

export const capacityChange = z
  .object({
    ...changeFields,
    status: z.string().check(z.describe('Where to ask how far it is; also in Location')),
  })
  .check(z.meta({ id: 'CapacityChange', description: 'A change that was accepted' }));

export const capacityPlan = z
  .object({
    ...changeFields,
    dryRun: z.literal(true),
  })
  .check(z.meta({ id: 'CapacityPlan', description: 'What a dry run found: nothing was changed' }));

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
          'settled: the nodes are Ready, or drained and gone. superseded: the group has another desired capacity by now. unknown: the instances are there, and the cluster does not say whether their nodes are',
        ),
      ),
    reason: z.string(),
    instances: instanceCounts,
    nodes: nodeCounts,
    waitingFor: z.array(z.object({ instanceId: z.string(), reason: z.string() })),
  })
  .check(z.meta({ id: 'CapacityStatus', description: 'How far the group is on its way to its capacity' }));
