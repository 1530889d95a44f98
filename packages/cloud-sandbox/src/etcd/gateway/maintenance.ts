import type { Rpc } from './call.ts';
import { keyHeaderMessage } from './messages.ts';
import { databaseOf } from './snapshot.ts';

export const simulatedVersion = '3.6.16';

/** Answers without quorum and on learners too: it tells what the member itself knows. */
const status: Rpc = async ({ process }) => {
  const { quorum, memberId } = process;
  const { length } = databaseOf(process);
  const leader = quorum.leader();
  const own = quorum.members().find(({ id }) => id === memberId);
  return {
    header: keyHeaderMessage(process),
    version: simulatedVersion,
    dbSize: String(length),
    ...(leader === undefined ? { errors: ['etcdserver: no leader'] } : { leader }),
    raftIndex: String(quorum.index()),
    raftTerm: String(quorum.term()),
    raftAppliedIndex: String(quorum.index()),
    dbSizeInUse: String(length),
    ...(own?.isLearner && { isLearner: true }),
  };
};

export const maintenanceRpcs: Readonly<Record<string, Rpc>> = { '/v3/maintenance/status': status };
