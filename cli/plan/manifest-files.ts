import { type ManifestProblem, problemText } from '../../shared/capacity/manifests/problem.ts';
import type { ManifestFile } from '../../shared/capacity/manifests/workload.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { isMissingFile } from '../missing-file.ts';
import { oneLine } from '../plain-text.ts';

/** A rendered chart with its CustomResourceDefinitions has a few megabytes. */
const longestFile = 32 * 1024 * 1024;

/**
 * Reads files of manifests; `-` is the standard input.
 *
 * @throws CliError `usage` for a file that cannot be read or is too long.
 */
export const manifestFiles = (
  paths: readonly string[],
  context: CliContext,
): Promise<readonly ManifestFile[]> =>
  Promise.all([...new Set(paths)].map((path) => manifestFile(path, context)));

async function manifestFile(path: string, context: CliContext): Promise<ManifestFile> {
  const name = path === '-' ? 'standard input' : path;
  const text = path === '-' ? await standardInput(context) : await fileText(path, context);
  if (text.length <= longestFile) return { name, text };
  throw new CliError(
    `${name} has more than ${longestFile / 1024 ** 2} MiB: give the manifests of fewer workloads`,
    exitCodes.usage,
  );
}

async function fileText(path: string, { readFile }: CliContext): Promise<string> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (isMissingFile(cause)) throw new CliError(`there is no file ${path}`, exitCodes.usage);
    if (cause instanceof Error && 'code' in cause && cause.code === 'EISDIR')
      throw new CliError(
        `${path} is a folder: give each file with -f, or kustomize build ${path} | drover plan -f -`,
        exitCodes.usage,
      );
    throw new CliError(`${path} cannot be read`, exitCodes.usage, cause);
  }
}

async function standardInput({ inputLines }: CliContext): Promise<string> {
  if (inputLines === undefined) throw new CliError('there is no standard input', exitCodes.usage);
  const lines: string[] = [];
  let length = 0;
  for await (const line of inputLines()) {
    lines.push(line);
    length += line.length + 1;
    if (length > longestFile) break;
  }
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * @param consequence what a mistake in one of the manifests means for all of them, such as `nothing is planned`.
 * @throws CliError `usage` with all mistakes, if there is one.
 */
export function refuseMistakes(problems: readonly ManifestProblem[], consequence: string): void {
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `  ${oneLine(problemText(problem))}`);
  throw new CliError(`${consequence}:\n${lines.join('\n')}`, exitCodes.usage);
}
