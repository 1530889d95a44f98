import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const parts =
  'cli deploy docs functions scripts shared ui CHANGELOG.md LICENSE README.md package-lock.json package.json serverless.yml tsconfig.json';

/** Copies the sources, because npm packs the manifest in the folder, and other tests read what is built. */
const script = `umask "$1"; mkdir "$2"; root=$PWD; shift
cp -R ${parts} "$1"; cd "$1"; shift; ln -s "$root/node_modules" node_modules; exec "$@"`;

/** A machine on which a release is made. */
export interface ReleasingMachine {
  readonly umask: string;
  readonly TZ: string;
  readonly LC_ALL: string;
}

/**
 * Runs `npm run release` of a copy of the sources in a folder that is not there yet.
 *
 * @returns the directory of the release
 * @throws Error with the output of the command if it fails
 */
export function releaseOfACopy(
  folder: string,
  { umask, ...locale }: ReleasingMachine = { umask: '022', TZ: 'UTC', LC_ALL: 'C' },
): string {
  const { status, stderr } = spawnSync(
    'sh',
    ['-euc', script, 'sh', umask, folder, process.execPath, 'scripts/release.ts'],
    { encoding: 'utf8', env: { ...process.env, ...locale } },
  );
  if (status !== 0) throw new Error(`npm run release ended with ${status}: ${stderr}`);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  return join(folder, 'dist', 'release', `drover-${version}`);
}
