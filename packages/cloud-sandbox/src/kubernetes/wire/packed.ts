import { gzipSync } from 'node:zlib';
import type { ApiResponse } from '../api/request.ts';

/** Less than this the real server does not pack. */
const leastBytes = 128 * 1024;

interface Packed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Compresses a large answer if the client accepts that. */
export function packed({ headers, body }: ApiResponse, acceptEncoding = ''): Packed {
  const isTaken = acceptEncoding.split(',').some((one) => one.split(';')[0]?.trim() === 'gzip');
  if (!isTaken || Buffer.byteLength(body) < leastBytes) return { headers, body };
  return {
    headers: { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
    body: gzipSync(body, { level: 1 }),
  };
}
