import * as z from 'zod/mini';
import { answersAsLearner } from '../machines.ts';
import { leaderOf, type Rpc, readBody } from './call.ts';
import { keyHeaderMessage } from './messages.ts';
import { databaseOf } from './snapshot.ts';

export const simulatedVersion = '3.6.16';

/** Answers without quorum and on learners too: it shows what the member itself knows. */
const status: Rpc = async ({ machines, process }) => {
  const { quorum } = process;
  const { length } = databaseOf(process);
  const leader = quorum.leader();
  const errors = [
    ...(leader === undefined ? ['etcdserver: no leader'] : []),
    ...quorum.alarms().map(({ memberId: id, alarm }) => `memberID:${id} alarm:${alarm} `),
  ];
  return {
    header: keyHeaderMessage(process),
    version: simulatedVersion,
    dbSize: String(length),
    ...(leader !== undefined && { leader }),
    ...(errors.length > 0 && { errors }),
    raftIndex: String(quorum.index()),
    raftTerm: String(quorum.term()),
    raftAppliedIndex: String(quorum.index()),
    dbSizeInUse: String(length),
    ...(answersAsLearner(machines, process) && { isLearner: true }),
  };
};

const alarmBody = z.object({
  action: z.prefault(z.enum(['GET', 'ACTIVATE', 'DEACTIVATE']), 'GET'),
  memberID: z.prefault(z.string(), '0'),
  alarm: z.optional(z.enum(['NOSPACE', 'CORRUPT'])),
});

/** Only the call of an operator raises an alarm here, because no quota is simulated. */
const alarm: Rpc = async (call) => {
  const { action, memberID: memberId, alarm: kind } = readBody(call, alarmBody);
  const { quorum } = call.process;
  await leaderOf(call);
  if (kind && action === 'ACTIVATE') quorum.raise({ memberId, alarm: kind });
  if (kind && action === 'DEACTIVATE') quorum.disarm({ memberId, alarm: kind });
  const alarms = quorum.alarms().map((one) => ({ memberID: one.memberId, alarm: one.alarm }));
  return { header: keyHeaderMessage(call.process), ...(alarms.length > 0 && { alarms }) };
};

export const maintenanceRpcs: Readonly<Record<string, Rpc>> = {
  '/v3/maintenance/status': status,
  '/v3/maintenance/alarm': alarm,
};
