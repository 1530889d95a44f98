import type { Machine } from '../../../cli/context.ts';
import { runCli } from '../../../cli/program.ts';

/** How a command ended, and what it printed. */
export interface DroverRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `drover` as it runs on a machine, in this process, with what it prints kept instead of shown. */
export const droverOn =
  (machine: Omit<Machine, 'stdout' | 'stderr'>) =>
  async (line: string): Promise<DroverRun> => {
    const printed = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof printed) => ({
      isTerminal: false,
      write: (text: string) => {
        printed[name] += text;
      },
    });
    const output = { stdout: stream('stdout'), stderr: stream('stderr') };
    const exitCode = await runCli(line.split(' '), { ...machine, ...output });
    return { exitCode, ...printed };
  };
