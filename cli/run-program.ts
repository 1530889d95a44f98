import { spawn } from 'node:child_process';

export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a program to its end and brings what it printed; its errors go to the terminal. Rejects unless it exits with 0. */
export type RunProgram = (call: ProgramCall) => Promise<string>;

/** No plugin has that much to say. */
const maximumOutputLength = 1024 * 1024;

/** On this machine, with its environment; a program that prints without end is killed. */
export const runProgram: RunProgram = ({ command, args, environment }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...environment },
      stdio: ['inherit', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maximumOutputLength) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ended with ${code ?? signal}`));
    });
  });
