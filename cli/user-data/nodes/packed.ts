import { gzipSync } from 'node:zlib';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { longestUserData } from '../longest-user-data.ts';
import type { Flavour } from './flavour.ts';

/**
 * The bytes that EC2 stores, which it counts before base64.
 *
 * @throws CliError if they are too many, or the reader of the user data does not accept gzip.
 */
export function packed(text: string, { noGzip }: Flavour, gzip: boolean): Uint8Array {
  if (gzip && noGzip !== undefined) throw new CliError(`--gzip is refused: ${noGzip}`, exitCodes.usage);
  const plain = Buffer.from(text);
  const bytes = gzip ? gzipSync(plain, { level: 9 }) : plain;
  if (bytes.length <= longestUserData) return bytes;
  const remedy = gzip || noGzip !== undefined ? 'give fewer labels, taints and flags' : 'give --gzip';
  throw new CliError(
    `the user data has ${bytes.length} bytes, and EC2 takes ${longestUserData} before base64: ${remedy}`,
    exitCodes.failed,
  );
}
