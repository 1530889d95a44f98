import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Asks as every command with a question does, at a terminal. */
const program = `
import { confirmed } from ${JSON.stringify(resolve('cli/confirm.ts'))};
import { contextOn, thisMachine } from ${JSON.stringify(resolve('cli/context.ts'))};
const context = contextOn(thisMachine());
const isWanted = await confirmed('Delete it?', {}, { ...context, stdout: { ...context.stdout, isTerminal: true } });
console.log(isWanted);
`;

test.each([
  ['yes', 'true'],
  ['no', 'false'],
])(
  'a command ends after the answer %s, although a terminal keeps its input open',
  { timeout: 60_000 },
  async (answer, isWanted) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      // From here on it should end by itself; the input is never closed.
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
    });
    child.stdin.write(`${answer}\n`);
    const [code] = await once(child, 'close');
    expect({ code, printed }).toEqual({ code: 0, printed: `${isWanted}\n` });
  },
);
