import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const leftOut: readonly string[] = ['.git', '.stryker-tmp', 'coverage', 'node_modules', 'reports'];

/** A change of one place in one file. */
export interface Edit {
  readonly file: string;
  readonly search: string;
  readonly replacement: string;
}

/** How many tests of some files ran and failed; `output` is for the reader. */
export interface TestRun {
  readonly failed: number;
  readonly passed: number;
  readonly output: string;
}

export interface RunOptions {
  /** A part of the name of a test, as a regular expression. */
  readonly only?: string | undefined;
  readonly untilFailure?: boolean;
}

/** A copy of the checkout that may be broken. The dependencies are those of the checkout. */
export interface CopyOfTheSource extends AsyncDisposable {
  /** @throws Error if the text is not in the file exactly once: the code has changed, and the bug needs a new search text. */
  plant(edit: Edit): Promise<void>;
  /** Takes the last bug out again. */
  heal(edit: Edit): Promise<void>;
  /** Runs the tests of these files, or the only one of them; with `untilFailure` up to the first that fails. */
  runTests(files: readonly string[], options?: RunOptions): Promise<TestRun>;
}

export async function copyTheSource(): Promise<CopyOfTheSource> {
  const folder = await mkdtemp(join(tmpdir(), 'drover-planted-'));
  // The times of files show what is already packaged.
  await cp(root, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !leftOut.includes(basename(path)),
  });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    plant: async ({ file, search, replacement }) => {
      const text = await readFile(join(folder, file), 'utf8');
      const places = text.split(search).length - 1;
      if (places !== 1) throw new Error(`${file} has ${places} times, and not once: ${search}`);
      await writeFile(
        join(folder, file),
        text.replace(search, () => replacement),
      );
    },
    heal: async ({ file }) => await cp(join(root, file), join(folder, file)),
    runTests: async (files, options) => await runTests(folder, files, options),
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

interface Report {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
}

async function runTests(
  folder: string,
  files: readonly string[],
  { only, untilFailure = false }: RunOptions = {},
): Promise<TestRun> {
  const reportFile = join(folder, 'reports', 'planted.json');
  await rm(reportFile, { force: true });
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const { VITEST: _, DROVER_COVERAGE: __, ...environment } = process.env;
  // Other suites run beside this one: a test that takes long is not what is asked here.
  const output = await outputOf(
    process.execPath,
    [
      vitest,
      'run',
      '--maxWorkers=1',
      '--testTimeout=300000',
      ...(untilFailure ? ['--bail=1'] : []),
      ...(only === undefined ? [] : [`--testNamePattern=${only}`]),
      ...files,
    ],
    {
      cwd: folder,
      env: { ...environment, DROVER_TEST_REPORT: reportFile },
    },
  );
  const text = await readFile(reportFile, 'utf8').catch(() => {
    throw new Error(`vitest wrote no report:\n${output}`);
  });
  const { numFailedTests, numPassedTests } = JSON.parse(text) as Report;
  return { failed: numFailedTests, passed: numPassedTests, output };
}

/** Resolves whatever the exit status is: the report says what failed. */
const outputOf = (
  program: string,
  arguments_: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, arguments_, { ...options, maxBuffer: 1e9 }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
