import { parseArgs } from 'node:util';

export interface ReleaseOptions {
  /** The file of the private key that signs the checksums. */
  readonly signKey?: string | undefined;
}

export const usage = 'usage: npm run release [-- --sign-key FILE]';

/** @throws TypeError for other arguments, with what is wrong. Pure. */
export function releaseOptions(args: readonly string[]): ReleaseOptions {
  const { values } = parseArgs({ args: [...args], options: { 'sign-key': { type: 'string' } } });
  if (values['sign-key'] === '') throw new TypeError('--sign-key has no file');
  return { signKey: values['sign-key'] };
}
