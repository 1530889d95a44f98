import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { type MessageReading, messageFormat, readMessage } from '../passes/message-format.ts';

/**
 * Why a pass over the zone starts. It only wakes the pass, which reads the state of the zone itself.
 * `launching`, `terminating`: an instance waits on our hook; `taken`: EC2 reclaims an instance at `deadline`; `swept`: the sweep sent
 * it; `asked`: an operator did.
 */
const etcdCauses = ['launching', 'terminating', 'taken', 'swept', 'asked'] as const;

const noticeSchema = lazily(() =>
  z.object({
    cause: z.enum(etcdCauses),
    /** The discovery domain. */
    domain: z.string().check(z.minLength(1), z.maxLength(253)),
    noticedAt: z.iso.datetime(),
    deadline: z.optional(z.iso.datetime()),
    /** The warning that EC2 sent; absent in messages of older versions. */
    warning: z.optional(z.enum(['spot-interruption', 'capacity-reservation'])),
    /** What older versions have and read instead of `warning`: it is a Spot warning. */
    spotOnly: z.optional(z.literal(true)),
    instanceId: z.optional(z.string().check(z.regex(instanceIdPattern))),
  }),
);

export type EtcdNotice = z.infer<ReturnType<typeof noticeSchema>>;

const { read, write } = messageFormat<EtcdNotice>({
  version: 1,
  work: 'etcd-membership',
  notice: noticeSchema,
  subjectOf: ({ domain }) => domain,
  // A forged warning must not absorb a real one, which has another time or is of the other kind.
  reasonKeyOf: ({ cause, instanceId, deadline, warning, spotOnly }) =>
    JSON.stringify([cause, instanceId, deadline, warning, spotOnly]),
});

/** Reads a message of the queue of etcd zones; never throws. */
export const readEtcdMessage = (body: string): MessageReading<EtcdNotice> => readMessage(body, { 1: read });

/** The message of a notice. */
export const etcdMessage = write;
