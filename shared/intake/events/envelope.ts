import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { time } from './fields.ts';

/**
 * The envelope of EventBridge. `resources` is left unread: some events carry ARNs without an account there, one a bare
 * string, and each says what it is about in its detail.
 */
export const envelopeSchema = lazily(() =>
  z.object({
    id: z.optional(z.string().check(z.maxLength(128))),
    source: z.string().check(z.minLength(1), z.maxLength(256)),
    'detail-type': z.string().check(z.minLength(1), z.maxLength(256)),
    time: time(),
    account: z.string().check(z.maxLength(12)),
    region: z.string().check(z.maxLength(32)),
    detail: z.unknown(),
  }),
);

export type Envelope = z.infer<ReturnType<typeof envelopeSchema>>;

/** What a parser may know besides the event: where we are. */
export interface Place {
  readonly accountId: string;
  readonly region: string;
}
