import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { hookSchema, placeSchema } from '../passes/hook-notice.ts';

/**
 * Why a pass looks at an instance:
 * - `launching`: Auto Scaling holds it on our hook, in Pending:Wait or, on its way into a warm pool, in Warmed:Pending:Wait;
 * - `swept`: the sweep found it waiting.
 */
const joiningCauses = ['launching', 'swept'] as const;

/** One reason for a pass over one launching instance, as it travels on the queue. Times are ISO 8601 in UTC. */
export const joiningNoticeSchema = lazily(() =>
  z.object({
    cause: z.enum(joiningCauses),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    noticedAt: z.iso.datetime(),
    hook: hookSchema(),
    /** `WarmPool`: it leaves the pool to serve. */
    origin: z.optional(placeSchema()),
    /** `WarmPool`: it is launched into the pool, and does not join yet. */
    destination: z.optional(placeSchema()),
  }),
);

export type JoiningNotice = z.infer<ReturnType<typeof joiningNoticeSchema>>;
