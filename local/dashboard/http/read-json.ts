import type { IncomingMessage } from 'node:http';

/** A button's request is some hundred bytes. */
const maximumBytes = 4096;

/** The body as JSON; undefined where it is none, or too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size <= maximumBytes) chunks.push(bytes);
  }
  if (size > maximumBytes) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
