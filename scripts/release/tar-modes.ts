import { gunzipSync, gzipSync } from 'node:zlib';

const blockSize = 512;
const field = { mode: [100, 8], size: [124, 12], checksum: [148, 8] } as const;

/**
 * The same package with modes that do not depend on the umask of the checkout: 755 for what its owner may run, else 644. npm takes the modes
 * that the files have.
 */
export function withUsualModes(tgz: Uint8Array): Uint8Array {
  const tar = Buffer.from(gunzipSync(tgz));
  for (let at = 0; at + blockSize <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + blockSize);
    writeOctal(header, field.mode, octal(header, field.mode) & 0o100 ? 0o755 : 0o644);
    writeChecksum(header);
    at += blockSize + Math.ceil(octal(header, field.size) / blockSize) * blockSize;
  }
  return gzipSync(tar, { level: 9 });
}

type Field = readonly [start: number, length: number];

const octal = (header: Buffer, [start, length]: Field): number =>
  Number.parseInt(
    header
      .toString('latin1', start, start + length)
      .replaceAll('\0', ' ')
      .trim() || '0',
    8,
  );

function writeOctal(header: Buffer, [start, length]: Field, value: number): void {
  header.write(`${value.toString(8).padStart(length - 2, '0')} \0`, start, 'latin1');
}

/** The sum of the header's bytes, where the checksum itself counts as spaces. */
function writeChecksum(header: Buffer): void {
  const [start, length] = field.checksum;
  header.fill(' ', start, start + length);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(length - 2, '0')}\0 `, start, 'latin1');
}
