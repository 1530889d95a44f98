import * as z from 'zod/mini';
import { instanceId } from './fields.ts';
import { kind } from './kind.ts';

/** EC2 sees a higher risk of an interruption; whether a group's nodes then leave is the group's setting. */
export const rebalance = kind({
  schema: () => z.object({ 'instance-id': instanceId() }),
  mean: (detail, { time }) => ({
    kind: 'leaving',
    notices: [{ cause: 'rebalance', instanceId: detail['instance-id'], noticedAt: time }],
  }),
});
