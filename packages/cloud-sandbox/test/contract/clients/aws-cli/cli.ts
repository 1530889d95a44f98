import { setTimeout as sleep } from 'node:timers/promises';
import { clients, program } from '../../../../real/programs.ts';
import { type ClientCommand, type Ended, runClient } from '../../../../real/run-client.ts';

/** Runs the AWS CLI. `words` are split at spaces; arguments that contain spaces follow as `whole`. */
export interface CliWorld {
  /** The output of a command that must succeed. */
  readonly aws: (words: string, ...whole: readonly string[]) => Promise<string>;
  /** The same, parsed as JSON. */
  readonly json: (words: string, ...whole: readonly string[]) => Promise<unknown>;
  /** The result of a command that may fail. */
  readonly tried: (words: string, ...whole: readonly string[]) => Promise<Ended>;
  /** The same world with more environment variables, such as other keys. */
  readonly having: (environment: Readonly<Record<string, string>>) => CliWorld;
  /** A directory for files, used only by this case. */
  readonly directory: string;
  /** A name that no other case has. */
  readonly name: string;
  readonly endpoint: string;
}

/** The exit code of version 1 of the CLI; version 2 exits with 254 if a service refuses a call. */
export const refusedCode = 255;

/** @throws Error with the output of the CLI if a command that must succeed fails. */
export function cliWorld(
  environment: Readonly<Record<string, string>>,
  place: Pick<CliWorld, 'directory' | 'name' | 'endpoint'>,
): CliWorld {
  const command = (words: string, whole: readonly string[]): ClientCommand => ({
    command: program(clients, 'aws'),
    options: [...words.split(' '), ...whole],
    environment: { ...environment, HOME: place.directory },
  });
  const tried = (words: string, ...whole: readonly string[]): Promise<Ended> =>
    runClient(command(words, whole));
  const aws = async (words: string, ...whole: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await tried(words, ...whole);
    if (code !== 0) throw new Error(`aws ${words} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    ...place,
    aws,
    tried,
    json: async (words, ...whole) => JSON.parse(await aws(words, ...whole)) as unknown,
    having: (more) => cliWorld({ ...environment, ...more }, place),
  };
}

/** Asks until the answer matches, for cases that run side by side; rejects if it does not match within two minutes. */
export async function until(ask: () => Promise<string>, pattern: RegExp): Promise<string> {
  const end = performance.now() + 120_000;
  for (;;) {
    const answer = await ask();
    if (pattern.test(answer)) return answer.trim();
    if (performance.now() > end) throw new Error(`it is still ${answer}, not ${pattern}`);
    await sleep(250);
  }
}
