import type { IncomingMessage } from 'node:http';

/**
 * The body of a request; undefined if it is longer than `maximumBytes`. What is too long is read to its end and thrown
 * away: a caller that is still sending would not see the answer.
 */
export async function readBody(request: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size <= maximumBytes) chunks.push(bytes);
    else chunks.length = 0;
  }
  return size > maximumBytes ? undefined : Buffer.concat(chunks);
}
