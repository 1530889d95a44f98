import type { RollView } from '../../../ui/state/rolls.ts';
import type { ApiRoll } from '../../scale-api/rolls.ts';

/** A roll for the page. The scale API does not say how far it is. Pure. */
export const apiRollView = ({ name, state, reason, since, asked }: ApiRoll): RollView => ({
  name,
  state,
  reason,
  ...(since !== undefined && { since: Date.parse(since) }),
  ...(asked?.wanted === 'paused' && { isAskedToPause: true }),
  ...(asked && {
    asked: {
      startedAt: Date.parse(asked.startedAt),
      canary: asked.canary,
      bakeSeconds: asked.bakeSeconds,
      stopOn: asked.stopOn,
      ...(asked.by !== undefined && { by: asked.by }),
      ...(asked.window !== undefined && { window: asked.window }),
    },
  }),
  groups: (asked?.groups ?? []).map((autoScalingGroupName) => ({ autoScalingGroupName })),
  moving: [],
});
