import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { QuorumContent } from './quorum.ts';

const databaseSchema = z.object({ revision: z.int(), values: z.record(z.string(), z.string()) });
const hashBytes = 32;

/**
 * The part of a snapshot that `etcdutl snapshot restore` keeps: the keys, without the old members.
 *
 * @throws Error where its hash is not that of its content, or it is of no simulated member.
 */
export function contentOf(snapshot: Uint8Array): QuorumContent {
  const database = snapshot.subarray(0, -hashBytes);
  const hash = createHash('sha256').update(database).digest();
  if (!hash.equals(snapshot.subarray(-hashBytes)))
    throw new Error('expected sha256 is not that of the snapshot');
  const text = Buffer.from(database).toString('utf8').replace(/\0+$/, '');
  return databaseSchema.parse(JSON.parse(text));
}
