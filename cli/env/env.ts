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

/** Prints the variables of the running sandbox and an alias of this program, for a shell to evaluate. */
export async function printEnvironment({ file, json }: EnvFlags, context: CliContext): Promise<void> {
  const environment = await readEnvironment(file, context);
  await assertRunning(environment, context);
  context.stdout.write(json ? jsonText(environment) : `${exportLines(environment)}${aliasLine(context)}`);
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

/** bash, zsh and fish read it alike. The installed `drover` needs none, and it does no harm there. */
const aliasLine = ({ startedAs = [] }: CliContext): string =>
  startedAs.length === 0 ? '' : `alias drover=${shellWord(startedAs.map(shellWord).join(' '))}\n`;
