import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { describeIssues } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';

const schema = lazily(() =>
  z.object({
    version: z.literal(1),
    /** `--initial-cluster-state` */
    state: z.enum(['new', 'existing']),
    /** `--name`: the instance's id. */
    name: z.string().check(z.regex(instanceIdPattern)),
    domain: z.string().check(z.minLength(1), z.maxLength(253)),
    /** `--initial-advertise-peer-urls` */
    peerUrl: z.string().check(z.regex(/^https?:\/\/[\w.-]+:\d+$/)),
    /** `--advertise-client-urls` */
    clientUrl: z.string().check(z.regex(/^https?:\/\/[\w.-]+:\d+$/)),
    /** `--discovery-srv` */
    discoverySrv: z.string().check(z.minLength(1), z.maxLength(253)),
    /** `--discovery-srv-name`; empty if there is none. */
    discoverySrvName: z.string().check(z.maxLength(63)),
    /** `--initial-cluster-token` of a member that starts as `new`; empty for etcd's default. */
    initialClusterToken: z.prefault(z.string().check(z.regex(/^[\w.-]{0,63}$/)), ''),
  }),
);

/** What a booting member reads from its parameter: one JSON object in plain text. */
export type MemberState = Readonly<z.infer<ReturnType<typeof schema>>>;

/** The parameter does not contain the state of a member. */
export class MemberStateError extends Error {
  override readonly name = 'MemberStateError';
}

export const encodeMemberState = (state: MemberState): string => JSON.stringify(state);

/** @throws MemberStateError with the field that is wrong. */
export function readMemberState(text: string): MemberState {
  const result = z.safeParse(schema(), parseJson(text));
  if (result.success) return result.data;
  throw new MemberStateError(`the state of a member cannot be read: ${describeIssues(result.error)}`);
}
