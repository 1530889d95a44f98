import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { EtcdError, type EtcdMember } from '../etcd/cluster.ts';

/** The gateway writes unsigned 64-bit numbers as decimal strings. */
const decimal = lazily(() => z.string().check(z.regex(/^\d{1,20}$/)));

const header = lazily(() => z.object({ cluster_id: decimal(), member_id: decimal() }));

/** Empty and false fields are left out (protobuf's JSON). */
const member = lazily(() =>
  z.object({
    ID: decimal(),
    name: z.prefault(z.string(), ''),
    peerURLs: z.prefault(z.array(z.string()), []),
    clientURLs: z.prefault(z.array(z.string()), []),
    isLearner: z.prefault(z.boolean(), false),
  }),
);

export const memberListAnswer = lazily(() => z.object({ header: header(), members: z.array(member()) }));
export const memberAddAnswer = lazily(() => z.object({ header: header(), member: member() }));
/** The answer to a removal or a promotion. */
export const membersAnswer = lazily(() => z.object({ header: header() }));
export const rangeAnswer = lazily(() => z.object({ header: header() }));

export const statusAnswer = lazily(() =>
  z.object({
    header: z.extend(header(), { revision: z.prefault(decimal(), '0') }),
    version: z.string(),
    dbSize: z.prefault(decimal(), '0'),
    leader: z.prefault(decimal(), '0'),
    isLearner: z.prefault(z.boolean(), false),
    errors: z.prefault(z.array(z.string()), []),
  }),
);

/** One line of a stream (grpc-gateway): a message, or the error that ends it. */
export const snapshotLine = lazily(() =>
  z.union([
    z.object({
      result: z.object({ remaining_bytes: z.prefault(decimal(), '0'), blob: z.prefault(z.string(), '') }),
    }),
    z.object({ error: z.object({ message: z.string() }) }),
  ]),
);

/** @throws EtcdError `other` for an answer of another shape; it does not quote the answer. */
export function read<T>(schema: z.ZodMiniType<T>, answer: unknown, what: string): T {
  const { data, error } = schema.safeParse(answer);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new EtcdError(
    'other',
    `${what} of etcd has an unexpected form: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

export const toMember = ({
  ID,
  name,
  peerURLs,
  clientURLs,
  isLearner,
}: z.infer<ReturnType<typeof member>>): EtcdMember => ({
  id: ID,
  name,
  peerUrls: peerURLs,
  clientUrls: clientURLs,
  isLearner,
});

/** An id as etcdctl prints it: hexadecimal without leading zeros. */
export const toHexadecimal = (id: string): string => BigInt(id).toString(16);
