import * as z from 'zod/mini';
import { failures, GrpcError, type GrpcFailure } from '../failure.ts';
import { memberIdOf } from '../ids.ts';
import { matchOf, processOf } from '../machines.ts';
import type { MemberRecord } from '../quorum.ts';
import { mayAdd, mayPromote, mayRemove, type View } from '../reconfiguration.ts';
import { leaderOf, quorumOf, type Rpc, type RpcCall, readBody } from './call.ts';
import { headerMessage, memberMessage } from './messages.ts';

/** etcd's `HealthInterval`, and the moment that peers need to dial one another. */
const connectedLongMilliseconds = 5_200;

function viewOf({ machines, clock, process }: RpcCall): View {
  const { quorum } = process;
  const connectedSince = (id: string): number => {
    const other = processOf(machines, quorum, id);
    return other === undefined ? Number.POSITIVE_INFINITY : Math.max(process.startedAt, other.startedAt);
  };
  return {
    members: quorum.members(),
    self: process.memberId,
    isConnected: (id) => processOf(machines, quorum, id) !== undefined,
    isConnectedLong: (id) => clock.now() - connectedSince(id) > connectedLongMilliseconds,
  };
}

const refuse = (failure: GrpcFailure | undefined): void => {
  if (failure !== undefined) throw new GrpcError(failure);
};

const answer = ({ process }: RpcCall, rest: object = {}): object => ({
  header: headerMessage(process),
  ...rest,
  members: process.quorum.members().map(memberMessage),
});

const listBody = z.object({ linearizable: z.optional(z.boolean()) });

const list: Rpc = async (call) => {
  if (readBody(call, listBody).linearizable) await quorumOf(call);
  return answer(call);
};

const addBody = z.object({
  peerURLs: z.prefault(z.array(z.string()), []),
  isLearner: z.prefault(z.boolean(), false),
});

/** Where strict reconfiguration lets it pass, it is proposed; the rest is looked at when it is applied. */
const add: Rpc = async (call) => {
  const { peerURLs, isLearner } = readBody(call, addBody);
  const { quorum } = call.process;
  refuse(mayAdd(viewOf(call), { isLearner }));
  await leaderOf(call);
  const members = quorum.members();
  if (members.some(({ peerUrls }) => peerUrls.some((url) => peerURLs.includes(url))))
    refuse(failures.peerUrlExists);
  if (isLearner && members.some((member) => member.isLearner)) refuse(failures.tooManyLearners);
  const id = memberIdOf(peerURLs, quorum.token, Math.floor(call.clock.now() / 1000));
  const member: MemberRecord = { id, name: '', peerUrls: peerURLs, clientUrls: [], isLearner };
  quorum.change({ kind: 'put', member });
  return answer(call, { member: memberMessage(member) });
};

const idBody = z.object({ ID: z.string().check(z.regex(/^\d+$/)) });

const remove: Rpc = async (call) => {
  const { ID: id } = readBody(call, idBody);
  const { quorum } = call.process;
  refuse(mayRemove(viewOf(call), id));
  await leaderOf(call);
  if (!quorum.members().some((member) => member.id === id)) refuse(failures.notFound);
  quorum.change({ kind: 'remove', id });
  return answer(call);
};

/** Only the leader knows; every other member asks it. */
const promote: Rpc = async (call) => {
  const { ID: id } = readBody(call, idBody);
  const { machines, process } = call;
  const { quorum } = process;
  await quorumOf(call);
  const progress = { match: matchOf(machines, quorum, id), leaderMatch: quorum.index() };
  refuse(mayPromote(viewOf(call), id, progress));
  const member = quorum.members().find((one) => one.id === id);
  if (member === undefined || !member.isLearner) throw new GrpcError(failures.notLearner);
  quorum.change({ kind: 'put', member: { ...member, isLearner: false } });
  return answer(call);
};

export const membershipRpcs: Readonly<Record<string, Rpc>> = {
  '/v3/cluster/member/list': list,
  '/v3/cluster/member/add': add,
  '/v3/cluster/member/remove': remove,
  '/v3/cluster/member/promote': promote,
};
