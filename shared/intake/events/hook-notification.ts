import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import type { Place } from './envelope.ts';
import { groupName, time } from './fields.ts';
import { ignored, kind, type Meaning, malformed } from './kind.ts';
import { launchAction } from './launch-action.ts';
import { terminateAction } from './terminate-action.ts';

const flatSchema = lazily(() =>
  z.object({
    AccountId: z.string().check(z.maxLength(12)),
    Time: time(),
    LifecycleTransition: z.string().check(z.maxLength(64)),
  }),
);

const testSchema = () =>
  z.object({
    Event: z.literal('autoscaling:TEST_NOTIFICATION'),
    AutoScalingGroupName: z.optional(groupName()),
  });

/** What Auto Scaling sends once when a hook with a notification target is made. */
export const isTestNotification = (value: object): boolean =>
  'Event' in value && value.Event === 'autoscaling:TEST_NOTIFICATION';

const testNotification = kind({
  schema: testSchema,
  mean: () => ignored('a hook was made and its notification works'),
});

/** The flat JSON of a hook that notifies SQS, SNS or a function directly: no envelope, the rest as in the event. */
export function readHookNotification(value: object, place: Place): Meaning {
  if (isTestNotification(value)) return testNotification({ detail: value, envelope: { time: '' }, place });
  const flat = z.safeParse(flatSchema(), value);
  if (!flat.success) return malformed(flat.error);
  if (flat.data.AccountId !== place.accountId) return ignored('it is from another account');
  const read =
    flat.data.LifecycleTransition === 'autoscaling:EC2_INSTANCE_LAUNCHING' ? launchAction : terminateAction;
  return read({ detail: value, envelope: { time: flat.data.Time }, place });
}
