import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const drover = join(import.meta.dirname, '../../cli/drover.ts');

describe('drover, when its output pipe is closed early', () => {
  it('prints no stack trace, as in drover status | head', async () => {
    const child = spawn(process.execPath, [drover, 'completion', 'bash'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ errors, exitCode }).toEqual({ errors: '', exitCode: 141 });
  });
});
