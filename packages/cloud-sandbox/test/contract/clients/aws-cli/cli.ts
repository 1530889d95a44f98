import { setTimeout as sleep } from 'node:timers/promises';
import { clients, program } from '../../../../real/programs.ts';
import { type ClientCommand, type Ended, runClient } from '../../../../real/run-client.ts';

/** The AWS CLI as a person has it at hand. Words are split at spaces; those that have spaces themselves follow as `whole`. */
export interface CliWorld {
  /** What it wrote, of a command that must succeed. */
  readonly aws: (words: string, ...whole: readonly string[]) => Promise<string>;
  /** Likewise, read as JSON. */
  readonly json: (words: string, ...whole: readonly string[]) => Promise<unknown>;
  /** How it ended, well or not. */
  readonly tried: (words: string, ...whole: readonly string[]) => Promise<Ended>;
  /** With another environment: other keys. */
  readonly having: (environment: Readonly<Record<string, string>>) => CliWorld;
  /** Of this case alone, for files. */
  readonly directory: string;
  /** A name that no other case has. */
  readonly name: string;
  readonly endpoint: string;
}

/** Of the CLI of version 1; version 2 says 254 for what a service refuses. */
export const refusedCode = 255;

/** @throws Error with what the CLI wrote, where a command that must succeed does not. */
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

/** Asks again and again, for cases that run side by side; rejects where the answer does not come to match within two minutes. */
export async function until(ask: () => Promise<string>, pattern: RegExp): Promise<string> {
  const end = performance.now() + 120_000;
  for (;;) {
    const answer = await ask();
    if (pattern.test(answer)) return answer.trim();
    if (performance.now() > end) throw new Error(`it is still ${answer}, not ${pattern}`);
    await sleep(250);
  }
}
