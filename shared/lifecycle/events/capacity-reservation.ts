import * as z from 'zod/mini';
import { instanceId, time } from './fields.ts';
import { kind } from './kind.ts';
import { secondsAfter, warningSeconds } from './spot-interruption.ts';

const reservationSchema = () =>
  z.object({
    'instance-id': instanceId(),
    'instance-action': z.optional(z.string().check(z.maxLength(32))),
    'instance-termination-time': z.optional(time()),
  });

/**
 * The owner of the capacity reservation takes the instance's place back at the time it names. A warning that names none is
 * taken for the shortest notice there is: too early a deadline costs some pods their grace, too late a one all of it.
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
        deadline: detail['instance-termination-time'] ?? secondsAfter(context.time, warningSeconds),
      },
    ],
  }),
});
