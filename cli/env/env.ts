import { shellWord } from '../../shared/base/shell-words.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { parseEnvironmentFile, type TerminalEnvironment } from './environment-file.ts';

export interface EnvFlags {
  readonly file: string;
  readonly json?: true;
}

const timeoutMilliseconds = 5000;

/** Prints the variables of the running sandbox and a function that runs this program, for a shell to evaluate. */
export async function printEnvironment({ file, json }: EnvFlags, context: CliContext): Promise<void> {
  const environment = await readEnvironment(file, context);
  await assertRunning(environment, context);
  context.stdout.write(json ? jsonText(environment) : `${exportLines(environment)}${functionLine(context)}`);
  if (!json && context.stdout.isTerminal)
    context.stderr.write('To set them in this shell: eval "$(npx --no -- drover env)"\n');
}

async function readEnvironment(path: string, { readFile }: CliContext): Promise<TerminalEnvironment> {
  const text = await readFile(path).catch((cause: unknown) => {
    throw new CliError(
      'no sandbox runs in this folder: start one with npm start or npm run world, and run this in the same folder',
      exitCodes.failed,
      cause,
    );
  });
  const found = parseEnvironmentFile(text);
  if (found) return found;
  throw new CliError(
    `${path} is not the file of a sandbox: delete it, and start the sandbox again`,
    exitCodes.failed,
  );
}

/** A sandbox that was killed leaves its file behind. */
async function assertRunning(
  { AWS_ENDPOINT_URL: url = '' }: TerminalEnvironment,
  { sendHttp }: CliContext,
): Promise<void> {
  try {
    await sendHttp({ method: 'GET', url, headers: {}, timeoutMilliseconds });
  } catch (cause) {
    throw new CliError(
      'the sandbox of this folder has ended: start it again with npm start',
      exitCodes.failed,
      cause,
    );
  }
}

const exportLines = (environment: TerminalEnvironment): string =>
  Object.entries(environment)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join('');

/**
 * A function, because scripts have no aliases. Functions of fish have another syntax, but its aliases also work in scripts; only fish has the
 * command `status fish-path`. The installed `drover` needs neither, and they do no harm there.
 */
function functionLine({ startedAs = [] }: CliContext): string {
  if (startedAs.length === 0) return '';
  const command = startedAs.map(shellWord).join(' ');
  const alias = `alias drover=${shellWord(command)}`;
  const define = shellWord(`drover() { ${command} "$@"; }`);
  return `status fish-path >/dev/null 2>&1 && ${alias} || eval ${define}\n`;
}
