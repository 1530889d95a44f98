import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { describeIssues } from '../lifecycle/issues.ts';
import { type MessageFormat, type MessageReading, readMessage } from '../lifecycle/messages.ts';

/** The version that this program writes. */
const messageVersion = 1;

/**
 * Why a pass over the zone starts. It only wakes the pass, which reads the state of the zone itself.
 * `launching`, `terminating`: an instance waits on our hook; `taken`: EC2 takes an instance at `deadline`; `swept`: the sweep sent
 * it; `asked`: a person did.
 */
export const etcdCauses = ['launching', 'terminating', 'taken', 'swept', 'asked'] as const;

const noticeSchema = lazily(() =>
  z.object({
    cause: z.enum(etcdCauses),
    /** The discovery domain. */
    domain: z.string().check(z.minLength(1), z.maxLength(253)),
    noticedAt: z.iso.datetime(),
    deadline: z.optional(z.iso.datetime()),
    /** The warning counts only if EC2 calls the instance a Spot Instance. */
    spotOnly: z.optional(z.literal(true)),
    instanceId: z.optional(z.string().check(z.regex(instanceIdPattern))),
  }),
);

export type EtcdNotice = z.infer<ReturnType<typeof noticeSchema>>;

const versionOneSchema = lazily(() =>
  z.object({
    version: z.literal(1),
    work: z.literal('etcd-membership'),
    notice: noticeSchema(),
    hop: z.int().check(z.nonnegative()),
    sentAt: z.iso.datetime(),
  }),
);

const readVersionOne: MessageFormat<EtcdNotice> = (value) => {
  const result = versionOneSchema().safeParse(value);
  if (!result.success) return { kind: 'poison', reason: describeIssues(result.error) };
  const { notice, hop } = result.data;
  const reasonKey = JSON.stringify([notice.cause, notice.instanceId]);
  return { kind: 'message', message: { subject: notice.domain, notice, reasonKey, hop } };
};

/** Reads a message of the queue of etcd zones; never throws. */
export const readEtcdMessage = (body: string): MessageReading<EtcdNotice> =>
  readMessage(body, { 1: readVersionOne });

export const etcdMessage = (
  notice: EtcdNotice,
  sentAt: string,
): z.infer<ReturnType<typeof versionOneSchema>> => ({
  version: messageVersion,
  work: 'etcd-membership',
  notice,
  hop: 0,
  sentAt,
});
