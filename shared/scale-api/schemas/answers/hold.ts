import * as z from 'zod/mini';
import { heldPods, podsFound } from './pods.ts';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const holdFields = {
  autoScalingGroupName: z.string(),
  name: z.string(),
  nodes: z
    .int()
    .check(z.describe('Of a hold for pods: how many the group needs for them, 0 until that is known')),
  pods: z.optional(heldPods),
  until: z.iso.datetime(),
  raiseMaxSize: z.boolean(),
  createdAt: z.optional(z.iso.datetime()),
  endedAt: z.optional(
    z.iso.datetime().check(z.describe('When the hold was ended early. Only of holds that a schedule made')),
  ),
  by: z.optional(z.string()),
  set: z.optional(z.string().check(z.describe('The set that declares it. Absent if it was made by hand'))),
};

export const changedHold = z
  .object({
    ...holdFields,
    change: z
      .enum(['created', 'replaced', 'extended', 'unchanged'])
      .check(z.describe('What was done, or would be in a dry run. unchanged: the hold already exists')),
  })
  .check(z.meta({ id: 'ChangedHold', description: 'A hold after a change' }));

export const listedHold = z
  .discriminatedUnion('state', [
    z.object({
      ...holdFields,
      state: z
        .enum(['met', 'waiting', 'unknown', 'over'])
        .check(
          z.describe(
            'met: enough nodes are Ready, or each open pod has room. unknown: the instances are in service, but the Nodes could not be listed, or the pods were not read lately',
          ),
        ),
      reason: z.string(),
      found: z.optional(podsFound),
    }),
    z.object({
      autoScalingGroupName: z.string(),
      name: z.string(),
      state: z.literal('unreadable'),
      reason: z.string(),
    }),
  ])
  .check(z.meta({ id: 'ListedHold', description: 'A hold with its state' }));

export const holdList = z
  .object({ holds: z.array(listedHold), nextCursor: z.optional(z.string()) })
  .check(z.meta({ id: 'HoldList', description: 'A page of holds, by group and name' }));
