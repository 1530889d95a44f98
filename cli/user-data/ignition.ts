import { gzipSync } from 'node:zlib';

/** The version of the configurations that we print: of Flatcar and Fedora CoreOS (Ignition, "Configuration Specification v3.4.0"). */
export const ignitionVersion = { version: '3.4.0' } as const;

interface TextFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

/** A file of an Ignition configuration, with its text in it. Pure. */
export const ignitionFile = ({ path, mode, text }: TextFile) => ({
  path,
  mode,
  contents: { compression: '', source: `data:;base64,${Buffer.from(text).toString('base64')}` },
});

/** The same, compressed: EC2 takes 16,384 bytes, and Ignition reads no user data that is compressed as a whole. Pure. */
export const compressedFile = ({ path, mode, text }: TextFile) => ({
  path,
  mode,
  contents: {
    compression: 'gzip',
    source: `data:;base64,${gzipSync(text, { level: 9 }).toString('base64')}`,
  },
});
