import * as z from 'zod/mini';
import { failures, GrpcError } from '../failure.ts';
import { leaderOf, quorumOf, type Rpc, readBody } from './call.ts';
import { keyHeaderMessage } from './messages.ts';

const rangeBody = z.object({
  key: z.string(),
  serializable: z.prefault(z.boolean(), false),
  count_only: z.prefault(z.boolean(), false),
});

/** One key; ranges of keys are not simulated. */
const range: Rpc = async (call) => {
  const { key, serializable, count_only: countOnly } = readBody(call, rangeBody);
  if (!serializable) await quorumOf(call);
  const value = call.process.quorum.values().get(key);
  const header = keyHeaderMessage(call.process);
  if (value === undefined) return { header };
  return { header, ...(!countOnly && { kvs: [{ key, value }] }), count: '1' };
};

const putBody = z.object({ key: z.string(), value: z.prefault(z.string(), '') });

const put: Rpc = async (call) => {
  const { key, value } = readBody(call, putBody);
  await leaderOf(call);
  if (call.process.quorum.alarms().length > 0) throw new GrpcError(failures.noSpace);
  call.process.quorum.put(key, value);
  return { header: keyHeaderMessage(call.process) };
};

export const keyRpcs: Readonly<Record<string, Rpc>> = { '/v3/kv/range': range, '/v3/kv/put': put };
