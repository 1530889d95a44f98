import * as z from 'zod/mini';
import { instanceCounts, nodeCounts } from './group.ts';

/** What Auto Scaling takes at most is its own to say; this only keeps a number a number. */
const capacity = z.int().check(z.minimum(0), z.maximum(100_000));
const capacityText = z.string().check(z.regex(/^(?:0|[1-9]\d{0,5})$/));

export const capacityRequest = z
  .strictObject({
    desiredCapacity: capacity.check(z.describe('From MinSize to MaxSize of the group')),
  })
  .check(z.meta({ id: 'CapacityRequest', description: 'The number of instances that the group shall have' }));

/** Strict: a misspelt dryRun is refused, not ignored. */
export const capacityRequestQuery = z.strictObject({
  dryRun: z.optional(
    z.enum(['true', 'false']).check(z.describe('true: says what would happen and changes nothing')),
  ),
});

const direction = z
  .enum(['out', 'in', 'none'])
  .check(z.describe('out: nodes join; in: nodes are drained and go; none: it has that capacity already'));

export const capacityChange = z
  .object({
    autoScalingGroupName: z.string(),
    from: capacity,
    desiredCapacity: capacity,
    direction,
    reason: z.string(),
    status: z.string().check(z.describe('Where to ask how far it is; also in Location')),
  })
  .check(z.meta({ id: 'CapacityChange', description: 'A change that was accepted' }));

export const capacityPlan = z
  .object({
    autoScalingGroupName: z.string(),
    from: capacity,
    desiredCapacity: capacity,
    direction,
    reason: z.string(),
    dryRun: z.literal(true),
  })
  .check(z.meta({ id: 'CapacityPlan', description: 'What a dry run found: nothing was changed' }));

/** Both or neither: together they are the change that the status is asked for. */
export const capacityStatusQuery = z.strictObject({
  from: z.optional(capacityText.check(z.describe('The desired capacity before the change'))),
  desired: z.optional(capacityText.check(z.describe('The desired capacity that was asked for'))),
});

export const capacityStatus = z
  .object({
    autoScalingGroupName: z.string(),
    minSize: capacity,
    maxSize: capacity,
    desiredCapacity: capacity,
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
