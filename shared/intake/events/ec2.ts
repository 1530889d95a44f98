import * as z from 'zod/mini';
import { spotNoticeSeconds } from '../../passes/leaving-notice.ts';
import { ignored, instanceId, kind, time } from './kind.ts';

/**
 * EC2 takes a Spot Instance in two minutes. Whether it terminates, stops or hibernates the instance, the node no longer serves, so the
 * action is not read: a warning that is parked for the sake of an unused field loses its two minutes.
 */
export const spotInterruption = kind({
  schema: () => z.object({ 'instance-id': instanceId() }),
  mean: (detail, { time }) => ({
    kind: 'leaving',
    notices: [
      {
        cause: 'spot-interruption',
        instanceId: detail['instance-id'],
        noticedAt: time,
        deadline: secondsAfter(time, spotNoticeSeconds),
      },
    ],
  }),
});

const secondsAfter = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();

const reservationSchema = () =>
  z.object({
    'instance-id': instanceId(),
    'instance-termination-time': z.optional(time()),
  });

/**
 * The owner of a capacity reservation takes the capacity of the instance back at the time in the warning. A warning without a time
 * gets the shortest notice: a deadline that is too early costs some pods part of their grace period, one that is too late costs them
 * all of it.
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

/** EC2 reports a higher risk of an interruption. A setting of the group decides whether its nodes leave then. */
export const rebalance = kind({
  schema: () => z.object({ 'instance-id': instanceId() }),
  mean: (detail, { time }) => ({
    kind: 'leaving',
    notices: [{ cause: 'rebalance', instanceId: detail['instance-id'], noticedAt: time }],
  }),
});

const stateSchema = () => z.object({ 'instance-id': instanceId(), state: z.string().check(z.maxLength(32)) });

/**
 * Only a terminated instance is gone. An instance that shuts down still runs its pods, and another event follows when it has
 * terminated. A stopped instance may start again, and keeps its Node until Auto Scaling replaces it.
 */
export const stateChange = kind({
  schema: stateSchema,
  mean: (detail, { time }) => {
    if (detail.state !== 'terminated')
      return ignored(
        `an instance that is ${knownStates.has(detail.state) ? detail.state : 'in another state'} is not gone`,
      );
    return {
      kind: 'leaving',
      notices: [{ cause: 'instance-gone', instanceId: detail['instance-id'], noticedAt: time }],
    };
  },
});

const knownStates: ReadonlySet<string> = new Set([
  'pending',
  'running',
  'stopping',
  'stopped',
  'shutting-down',
]);
