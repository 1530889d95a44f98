import type { EtcdProcess } from '../process.ts';
import type { MemberRecord } from '../quorum.ts';

/** protobuf's JSON: 64-bit numbers are strings, what is empty or false is left out. */
export const memberMessage = ({ id, name, peerUrls, clientUrls, isLearner }: MemberRecord): object => ({
  ID: id,
  ...(name && { name }),
  peerURLs: peerUrls,
  ...(clientUrls.length > 0 && { clientURLs: clientUrls }),
  ...(isLearner && { isLearner }),
});

export const headerMessage = ({ quorum, memberId }: EtcdProcess): object => ({
  cluster_id: quorum.id,
  member_id: memberId,
  raft_term: String(quorum.term()),
});

/** The header of an answer to a read of keys, with the revision that was read. */
export const keyHeaderMessage = (process: EtcdProcess): object => ({
  ...headerMessage(process),
  revision: String(process.quorum.revision()),
});
