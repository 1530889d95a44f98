/**
 * `npm run release [-- --sign-key FILE]`: what installs Drover without Node.js, in dist/release/drover-VERSION, offline. The same commit gives
 * the same bytes.
 */
import { PackagingError } from './build/package-deployment.ts';
import { LicenseError } from './pack/licenses.ts';
import { type ReleaseOptions, releaseOptions, usage } from './release/options.ts';
import { SigningError } from './release/signature.ts';
import { ReleaseError, writeRelease } from './release/write-release.ts';

const expected = [PackagingError, ReleaseError, LicenseError, SigningError];

try {
  const { signKey } = optionsOf(process.argv.slice(2));
  const { directory, files } = await writeRelease({ parent: 'dist/release', signKey });
  const signature = signKey === undefined ? 'not signed: --sign-key FILE signs the list' : 'signed';
  process.stdout.write(`${directory}: ${files.length} files, listed in SHA256SUMS, ${signature}\n`);
} catch (error) {
  if (!expected.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function optionsOf(args: readonly string[]): ReleaseOptions {
  try {
    return releaseOptions(args);
  } catch (cause) {
    throw new ReleaseError(`${(cause as Error).message}\n${usage}`, { cause });
  }
}
