import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissingFile } from '../../missing-file.ts';

/** What one file contains. */
export interface PkiFile {
  readonly path: string;
  readonly certificates: readonly X509Certificate[];
  readonly key?: KeyObject;
  /** Others than the owner may read it. */
  readonly isOpen: boolean;
  /** Why it could not be read, without a word of what it holds. */
  readonly unreadable?: string;
}

const interesting = /\.(?:crt|pem|key)$/;

/** The certificates and keys of files, and of folders with all below them, in the order of their paths. */
export async function readPki(paths: readonly string[]): Promise<readonly PkiFile[]> {
  const files = await Promise.all(paths.map(filesAt));
  return await Promise.all([...new Set(files.flat())].map(readPkiFile));
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path, ...(await keyBeside(path))];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && interesting.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** For a single certificate, its key and the authority in the same folder are read too. */
async function keyBeside(path: string): Promise<readonly string[]> {
  if (!path.endsWith('.crt')) return [];
  const wanted = [path.replace(/\.crt$/, '.key'), join(dirname(path), 'ca.crt')];
  const found = await Promise.all(wanted.map(async (name) => ((await exists(name)) ? [name] : [])));
  return found.flat().filter((name) => name !== path);
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

async function readPkiFile(path: string): Promise<PkiFile> {
  const isOpen = ((await stat(path)).mode & 0o077) !== 0;
  try {
    const text = await readFile(path, 'utf8');
    const certificates = [...text.matchAll(certificatePattern)].map(([pem]) => new X509Certificate(pem));
    const hasKey = text.includes('PRIVATE KEY-----');
    if (certificates.length === 0 && !hasKey)
      return {
        path,
        certificates,
        isOpen,
        unreadable: 'it holds neither a certificate nor a private key in PEM',
      };
    return { path, certificates, isOpen, ...(hasKey && { key: createPrivateKey(text) }) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      return { path, certificates: [], isOpen, unreadable: 'reading it is not permitted' };
    return { path, certificates: [], isOpen, unreadable: 'it is not valid PEM' };
  }
}
