import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

// Strict, as all bodies: a misspelt bound must be refused, not left out.

const count = (least: number, description: string) =>
  z.optional(z.int().check(z.minimum(least), z.maximum(1000), z.describe(description)));

const seconds = (description: string) =>
  z.optional(z.int().check(z.minimum(0), z.maximum(366 * 86_400), z.describe(description)));

const criterion = () =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('changed') }),
    z.strictObject({ kind: z.literal('all') }),
    z.strictObject({
      kind: z.literal('older-than'),
      seconds: z.int().check(z.minimum(60), z.maximum(366 * 86_400)),
    }),
    z.strictObject({
      kind: z.literal('below'),
      kubeletVersion: z.string().check(z.regex(/^\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/)),
    }),
    z.strictObject({
      kind: z.literal('named'),
      instanceIds: z
        .array(z.string().check(z.regex(/^i-[0-9a-f]{8,17}$/)))
        .check(z.minLength(1), z.maxLength(150)),
    }),
  ]);

/** The body with which a roll is begun. What is left out has the default of `drover roll`. */
export const rollRequest = lazily(() =>
  z
    .strictObject({
      groups: z
        .array(z.string().check(z.minLength(1), z.maxLength(255)))
        .check(z.minLength(1), z.maxLength(50), z.describe('The names of the groups')),
      criterion: z.optional(
        criterion().check(
          z.describe(
            'Which instances are replaced, of those that were launched before the roll began. Defaults to changed: those of another launch template, version or image than their group would launch now',
          ),
        ),
      ),
      surge: count(1, 'How many replacements of a group are launched at once. Defaults to 1'),
      maxUnavailable: count(
        0,
        'How many nodes of a group are drained without waiting for their replacements. Defaults to 0',
      ),
      canary: count(
        0,
        'How many new nodes of a group carry pods before the others are replaced. Defaults to 1',
      ),
      bakeSeconds: seconds('How long they carry pods. Defaults to 300'),
      stopOn: z.optional(
        z
          .array(z.string().check(z.minLength(1), z.maxLength(255)))
          .check(z.maxLength(10), z.describe('CloudWatch alarms that stop the roll')),
      ),
      window: z.optional(
        z
          .string()
          .check(
            z.minLength(1),
            z.maxLength(128),
            z.describe('When nodes are replaced, such as Mon-Fri 09:00-16:00 Europe/Berlin'),
          ),
      ),
      annotationTimeoutSeconds: seconds(
        'How long annotations of pods against disruption count. Defaults to 86400',
      ),
      skipBlocked: z.optional(
        z
          .boolean()
          .check(z.describe('true: leave nodes whose pods cannot move to the end, instead of stopping')),
      ),
    })
    .check(z.meta({ id: 'RollRequest', description: 'The groups whose nodes are replaced, and how' })),
);
