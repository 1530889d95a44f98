import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const parts =
  'cli deploy docs functions scripts shared ui CHANGELOG.md LICENSE README.md package-lock.json package.json serverless.yml tsconfig.json';

/** Commits a copy of the sources at a fixed time, because npm packs the manifest in the folder, and other tests read what is built. */
const script = `export GIT_AUTHOR_DATE='1772359200 +0000' GIT_COMMITTER_DATE='1772359200 +0000' GIT_CONFIG_GLOBAL=/dev/null
umask "$1"; mkdir "$2"; root=$PWD; shift
cp -R ${parts} "$1"; cd "$1"; shift; ln -s "$root/node_modules" node_modules
printf '%s\\n' node_modules dist .serverless >.gitignore
git init --quiet; git config user.name a; git config user.email a@example.com; git config core.fileMode false
git add .; git commit --quiet --message a; exec "$@"`;

/** A machine on which a release is made. */
export interface ReleasingMachine {
  readonly umask: string;
  readonly TZ: string;
  readonly LC_ALL: string;
}

/**
 * Runs `npm run release` of a copy of the sources in a folder that is not there yet, with these arguments.
 *
 * @returns the directory of the release
 * @throws Error with the output of the command if it fails
 */
export function releaseOfACopy(
  folder: string,
  { umask, ...locale }: ReleasingMachine = { umask: '022', TZ: 'UTC', LC_ALL: 'C' },
  args: readonly string[] = [],
): string {
  const { status, stderr } = spawnSync(
    'sh',
    ['-euc', script, 'sh', umask, folder, process.execPath, 'scripts/release.ts', ...args],
    { encoding: 'utf8', env: { ...process.env, ...locale } },
  );
  if (status !== 0) throw new Error(`npm run release ended with ${status}: ${stderr}`);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  return join(folder, 'dist', 'release', `drover-${version}`);
}
