import * as z from 'zod/mini';
import { spotNoticeSeconds } from '../../passes/leaving-notice.ts';
import { instanceId, time } from './fields.ts';
import { kind } from './kind.ts';
import { secondsAfter } from './spot-interruption.ts';

const reservationSchema = () =>
  z.object({
    'instance-id': instanceId(),
    'instance-action': z.optional(z.string().check(z.maxLength(32))),
    'instance-termination-time': z.optional(time()),
  });

/**
 * The owner of the capacity reservation takes the instance's place back at the time that the warning names. A warning without a
 * time counts as the shortest notice: a deadline that is too early costs some pods part of their grace, one that is too late
 * costs them all of it.
 */
export const capacityReservation = kind({
  schema: reservationSchema,
  mean: (detail, context) => ({
    kind: 'leaving',
    notices: [
      {
        cause: 'capacity-reservation',
        instanceId: detail['instance-id'],
        noticedAt: context.time,
        deadline: detail['instance-termination-time'] ?? secondsAfter(context.time, spotNoticeSeconds),
      },
    ],
  }),
});
