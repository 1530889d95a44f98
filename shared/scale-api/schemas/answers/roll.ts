import * as z from 'zod/mini';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const rollState = () =>
  z
    .enum([
      'starting',
      'running',
      'pausing',
      'paused',
      'resuming',
      'stopped',
      'aborting',
      'done',
      'aborted',
      'unreadable',
    ])
    .check(
      z.describe(
        'stopped: something has gone wrong, and it continues once it is asked to. unreadable: its parameter is not that of a roll',
      ),
    );

const asked = z.object({
  groups: z.array(z.string()).check(z.describe('The names of its groups')),
  criterion: z
    .enum(['changed', 'older-than', 'below', 'named', 'all'])
    .check(z.describe('Which instances it replaces, of those that were launched before it began')),
  startedAt: z.iso.datetime(),
  surge: z.int(),
  maxUnavailable: z.int(),
  canary: z.int(),
  bakeSeconds: z.int(),
  stopOn: z.array(z.string()).check(z.describe('The CloudWatch alarms that stop it')),
  window: z.optional(z.string()),
  skipBlocked: z.boolean(),
  by: z.optional(z.string()),
});

const rollFields = {
  name: z.string(),
  state: rollState(),
  reason: z.string(),
  since: z.optional(z.iso.datetime().check(z.describe('When the state began'))),
  asked: z.optional(asked.check(z.describe('Absent if its parameter cannot be read'))),
};

export const roll = z
  .object(rollFields)
  .check(z.meta({ id: 'Roll', description: 'A roll: the replacement of the nodes of groups' }));

export const rollList = z
  .object({ rolls: z.array(roll), nextCursor: z.optional(z.string()) })
  .check(z.meta({ id: 'RollList', description: 'A page of rolls, by name' }));

export const changedRoll = z
  .object({
    ...rollFields,
    change: z
      .enum(['changed', 'unchanged'])
      .check(z.describe('What was done, or would be in a dry run. unchanged: it is so already')),
  })
  .check(z.meta({ id: 'ChangedRoll', description: 'A roll after a change' }));
