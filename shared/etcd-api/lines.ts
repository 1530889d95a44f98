import { EtcdError } from '../etcd/cluster.ts';

/** etcd sends blobs of 32 KB, which are lines of 44 KB. A longer line than this is no snapshot. */
const maximumLineBytes = 1024 * 1024;
const newline = 0x0a;

/** Splits a stream into lines, however it is cut into chunks. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > maximumLineBytes)
      throw new EtcdError('other', `the stream of etcd has a line of more than ${maximumLineBytes} bytes`);
    pieces.push(piece);
  };
  const take = (): string => {
    const line = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
