import { gunzipSync } from 'node:zlib';

/** User data that unpacks to more is not one. */
const longestUnpacked = 4 * 1024 * 1024;

/** By the first two bytes (RFC 1952, 2.3.1). */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The text of gzip; undefined if the bytes are none, or are too many. */
export function unpacked(bytes: Uint8Array): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: longestUnpacked }).toString('utf8');
  } catch {
    // Node has one error for each way in which the bytes are not those of gzip; what matters is that they cannot be read.
    return undefined;
  }
}
