import * as z from 'zod/mini';
import { spotNoticeSeconds } from '../../passes/leaving-notice.ts';
import { instanceId } from './fields.ts';
import { kind } from './kind.ts';

const spotSchema = () =>
  z.object({
    'instance-id': instanceId(),
    'instance-action': z.string().check(z.maxLength(32)),
  });

/** Stopped, hibernated or whatever EC2 may do besides, the node serves as little as a terminated one. */
export const spotInterruption = kind({
  schema: spotSchema,
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

export const secondsAfter = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();
