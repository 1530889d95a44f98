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
        'stopped: something has gone wrong, and it continues once it is asked to. paused: by people if asked.wanted is paused, otherwise by itself until the cause in reason is over. unreadable: its parameter is not that of a roll',
      ),
    );

const asked = z.object({
  groups: z.array(z.string()).check(z.describe('The names of its groups')),
  criterion: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.enum(['changed', 'all']) }),
      z.object({ kind: z.literal('older-than'), seconds: z.int() }),
      z.object({ kind: z.literal('below'), kubeletVersion: z.string() }),
      z.object({ kind: z.literal('named'), instanceIds: z.array(z.string()) }),
    ])
    .check(z.describe('Which instances it replaces, of those that were launched before it began')),
  startedAt: z.iso.datetime(),
  wanted: z
    .enum(['run', 'paused', 'aborted'])
    .check(z.describe('What people ask for now. state and reason say what the function roll does')),
  resumedAt: z.optional(
    z.iso.datetime().check(z.describe('When people last asked a stopped roll to continue')),
  ),
  surge: z.int(),
  maxUnavailable: z.int(),
  canary: z.int(),
  bakeSeconds: z.int(),
  stopOn: z.array(z.string()).check(z.describe('The CloudWatch alarms that stop it')),
  window: z.optional(z.string()),
  annotationTimeoutSeconds: z.int(),
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

const group = { autoScalingGroupName: z.string() };
const instance = { ...group, instanceId: z.string(), why: z.string() };

const rollProgress = z
  .object({
    groups: z.array(
      z.object({
        ...group,
        old: z.int().check(z.describe('The instances that are still to be replaced')),
        fresh: z.int().check(z.describe('The others: the roll has launched them, or they are not old')),
        leaving: z.int(),
        leftOut: z
          .array(z.object({ instanceId: z.string(), why: z.string() }))
          .check(z.describe('Old instances that the roll does not touch, with the reasons')),
      }),
    ),
    moving: z
      .array(
        z.object({
          name: z.string().check(z.describe('Of the Node; the id of the instance if it has none')),
          ...group,
          state: z.enum(['marked', 'leaving', 'launching']),
          why: z.string().check(z.describe('What it waits for, such as the pods that hold it')),
        }),
      )
      .check(z.describe('The nodes that something is happening to')),
    warnings: z.array(z.string()).check(z.describe('What could not be read')),
  })
  .check(z.meta({ id: 'RollProgress', description: 'How far a roll is with its groups and nodes' }));

export const rollStatus = z
  .object({
    ...rollFields,
    /** Absent if it is unknown, or the parameter of the roll cannot be read. */
    progress: z.optional(rollProgress),
    progressUnknown: z.optional(z.string().check(z.describe('Why it is unknown'))),
  })
  .check(z.meta({ id: 'RollStatus', description: 'A roll, and how far it is' }));

const rollPreflight = z
  .object({
    groups: z.array(
      z.object({
        ...group,
        instances: z.int(),
        old: z.int(),
        leftOut: z.int(),
        expectedSeconds: z.optional(
          z.int().check(z.describe('As launches and terminations took in the past; absent if unknown')),
        ),
      }),
    ),
    findings: z
      .array(
        z.object({
          severity: z.enum(['refuses', 'warns']),
          subject: z.string().check(z.describe('The name of a group, or alarm and its name')),
          message: z.string(),
          command: z.optional(z.string().check(z.describe('The command that changes it'))),
        }),
      )
      .check(z.describe('What is wrong with the groups and alarms, or worth knowing')),
    old: z
      .array(z.object({ ...instance, nodeName: z.optional(z.string()) }))
      .check(z.describe('The instances that are replaced')),
    leftOut: z.array(z.object(instance)).check(z.describe('The instances that stay, with the reasons')),
    warnings: z.array(z.string()).check(z.describe('What could not be read')),
    podsUnchecked: z
      .boolean()
      .check(
        z.describe(
          'true: this API may not read pods. The first pass looks at them, and stops the roll if some cannot move',
        ),
      ),
  })
  .check(z.meta({ id: 'RollPreflight', description: 'What the roll meets' }));

export const begunRoll = z
  .object({
    change: z
      .enum(['begun', 'unchanged', 'nothing-old'])
      .check(
        z.describe(
          'What was done, or would be in a dry run. unchanged: a roll of this name asks for the same. nothing-old: no roll began, because no instance is old',
        ),
      ),
    /** Absent if there is none. */
    roll: z.optional(roll),
    /** Absent if the roll is unchanged. */
    preflight: z.optional(rollPreflight),
  })
  .check(z.meta({ id: 'BegunRoll', description: 'A roll that was asked for, and what it meets' }));

export const changedRoll = z
  .object({
    ...rollFields,
    change: z
      .enum(['changed', 'unchanged'])
      .check(z.describe('What was done, or would be in a dry run. unchanged: it is so already')),
  })
  .check(z.meta({ id: 'ChangedRoll', description: 'A roll after a change' }));
