/** `npm run release`: what installs Drover without Node.js, in dist/release/drover-VERSION, offline. The same commit gives the same bytes. */
import { PackagingError } from './build/package-deployment.ts';
import { ReleaseError, writeRelease } from './release/write-release.ts';

try {
  const { directory, files } = await writeRelease({ parent: 'dist/release' });
  process.stdout.write(`${directory}: ${files.length} files, listed in SHA256SUMS\n`);
} catch (error) {
  if (!(error instanceof PackagingError || error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
