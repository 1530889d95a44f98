import * as z from 'zod/mini';
import { instanceId } from './fields.ts';
import { ignored, kind } from './kind.ts';

const stateSchema = () => z.object({ 'instance-id': instanceId(), state: z.string().check(z.maxLength(32)) });

/**
 * Only a terminated instance is gone. One that shuts down still runs its pods, and an event follows when it has terminated. One
 * that stops may start again, and keeps its node until Auto Scaling replaces it.
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
