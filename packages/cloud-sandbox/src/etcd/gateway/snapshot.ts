import { createHash } from 'node:crypto';
import type { EtcdProcess } from '../process.ts';
import { headerMessage } from './messages.ts';

/** etcd's (`snapshotSendBufferSize`). */
const frameBytes = 32 * 1024;
const pageBytes = 4096;
const leastPages = 5;

/** What stands for the database: membership and keys as JSON, filled up to whole pages as bbolt's are. */
export function databaseOf({ quorum }: EtcdProcess): Uint8Array {
  const content = Buffer.from(
    JSON.stringify({
      clusterId: quorum.id,
      members: quorum.members(),
      revision: quorum.revision(),
      values: Object.fromEntries(quorum.values()),
    }),
  );
  const pages = Math.max(leastPages, Math.ceil(content.length / pageBytes));
  return Buffer.concat([content], pages * pageBytes);
}

/** `/v3/maintenance/snapshot`: the database in frames, and its SHA-256 as the last one (`v3rpc/maintenance.go`). */
export function* snapshotLines(process: EtcdProcess): Generator<string> {
  const database = databaseOf(process);
  const header = headerMessage(process);
  const line = (blob: Uint8Array, remaining: number): string =>
    `${JSON.stringify({
      result: {
        header,
        remaining_bytes: String(remaining),
        blob: Buffer.from(blob).toString('base64'),
        version: '3.6.0',
      },
    })}\n`;
  for (let start = 0; start < database.length; start += frameBytes) {
    const end = Math.min(database.length, start + frameBytes);
    yield line(database.subarray(start, end), database.length - end);
  }
  yield line(createHash('sha256').update(database).digest(), 0);
}
