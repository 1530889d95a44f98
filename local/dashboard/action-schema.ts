import * as z from 'zod/mini';
import { instanceIdPattern } from '../../shared/base/instance-id.ts';
import { rollNamePattern } from '../../shared/roll/roll.ts';

const instanceId = z.string().check(z.regex(instanceIdPattern, 'must be an instance id'));

/** What a button of the page asks for. */
export const actionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('terminate'), instanceId }),
  z.object({ action: z.literal('interrupt'), instanceId }),
  z.object({ action: z.literal('kill'), instanceId }),
  z.object({
    action: z.literal('scale'),
    autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
    desiredCapacity: z.int().check(z.nonnegative()),
  }),
  z.object({
    action: z.literal('roll'),
    name: z.string().check(z.regex(rollNamePattern)),
    deed: z.enum(['pause', 'resume', 'abort']),
  }),
]);

export type Action = z.infer<typeof actionSchema>;

/** The cluster that the page of the button shows. */
export const shownSchema = z.object({ cluster: z.string() });
