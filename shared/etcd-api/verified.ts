import { createHash } from 'node:crypto';
import { EtcdError } from '../etcd/cluster.ts';

const hashBytes = 32;

/**
 * Yields every chunk unchanged, and throws an EtcdError if the last 32 bytes are not the SHA-256 of the content before them.
 * etcd appends the hash (`v3rpc/maintenance.go`), and `etcdutl snapshot restore` requires it.
 */
export async function* verified(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let tail: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const both = Buffer.concat([tail, chunk]);
    const cut = Math.max(0, both.length - hashBytes);
    hash.update(both.subarray(0, cut));
    tail = both.subarray(cut);
    if (chunk.length > 0) yield chunk;
  }
  if (tail.length < hashBytes || !hash.digest().equals(tail))
    throw new EtcdError(
      'other',
      'the snapshot is incomplete: the SHA-256 at its end does not match its content',
    );
}
