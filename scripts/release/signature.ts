import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Checkout } from './checkout.ts';

/** A key that may not or cannot sign a release, with the remedy. It never contains the text of the key. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
}

/** The rights of the group and of others. */
const othersMode = 0o077;

const howToMake = 'make one with `(umask 077; openssl genpkey -algorithm ed25519 -out FILE)`';

/**
 * Reads the operator's private key: Ed25519, as PEM in PKCS #8, in a file that only its owner can access. None is ever made here.
 *
 * @throws SigningError
 */
export async function readSigningKey(file: string): Promise<KeyObject> {
  const key = privateKeyIn(file, await readPrivately(file));
  if (key.asymmetricKeyType !== 'ed25519')
    throw new SigningError(`the key in ${file} is ${key.asymmetricKeyType}, not Ed25519: ${howToMake}`);
  return key;
}

/** Through one handle, so that what is checked is what is read. */
async function readPrivately(file: string): Promise<string> {
  const handle = await open(file).catch((cause: Error) => {
    throw new SigningError(`the signing key cannot be read: ${cause.message}`, { cause });
  });
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new SigningError(`the signing key ${file} is not a file: ${howToMake}`);
    if (process.platform !== 'win32' && (status.mode & othersMode) !== 0)
      throw new SigningError(
        `other users can access the signing key ${file}: run \`chmod 600 ${file}\`, or replace the key if they may have read it`,
      );
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

const pkcs8 = '-----BEGIN PRIVATE KEY-----';

function privateKeyIn(file: string, text: string): KeyObject {
  if (text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----'))
    throw new SigningError(
      `the key in ${file} has a passphrase: decrypt it with \`openssl pkey\` into a file that only you can read, and delete that file afterwards`,
    );
  if (!text.includes(pkcs8))
    throw new SigningError(`${file} has no private key as PEM in PKCS #8 (${pkcs8}): ${howToMake}`);
  try {
    return createPrivateKey(text);
  } catch {
    // Not as its cause: no message of the parser may lead to the text of the key.
    throw new SigningError(`${file} has no private key that can be parsed: ${howToMake}`);
  }
}

/** The detached signature of Ed25519 (RFC 8032) over the bytes themselves, as `openssl pkeyutl -rawin` verifies it. */
export const signatureOf = (key: KeyObject, content: Uint8Array): Uint8Array => sign(null, content, key);

/**
 * Refuses to sign what the statement of the build cannot name: a signature promises that the release is of a commit. Pure.
 *
 * @throws SigningError
 */
export function refuseUnnamedSource(checkout: Checkout | undefined): void {
  if (!checkout)
    throw new SigningError('a signed release needs a git checkout: clone the repository, and release there');
  if (checkout.hasChanges)
    throw new SigningError(
      'a signed release needs a checkout without changes: commit or remove what `git status` lists, and release again',
    );
}
