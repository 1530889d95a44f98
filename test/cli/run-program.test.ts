import { describe, expect, it } from 'vitest';
import { runProgram } from '../../cli/run-program.ts';

const node = (script: string, environment = {}) =>
  runProgram({ command: process.execPath, args: ['-e', script], environment });

describe('running a program', () => {
  it('passes the environment and returns the output', async () => {
    await expect(node('process.stdout.write(process.env.WORD)', { WORD: 'hello' })).resolves.toBe('hello');
  });

  it('rejects if the program fails or does not exist', async () => {
    await expect(node('process.exit(3)')).rejects.toThrow(/ended with 3/);
    await expect(runProgram({ command: '/no/such/program', args: [], environment: {} })).rejects.toThrow(
      /ENOENT/,
    );
  });

  it('kills a program that prints too much', async () => {
    await expect(node("setInterval(() => process.stdout.write('x'.repeat(1e5)), 1)")).rejects.toThrow(
      /SIGKILL/,
    );
  });
});
