import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../examples/drover-iam-token');
const run = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });

describe('examples/drover-iam-token', () => {
  it('is a valid script of sh', () => {
    expect(run('sh', '-n', script)).toMatchObject({ status: 0, stderr: '' });
  });

  const hasShellcheck = run('shellcheck', '--version').status === 0;
  it.skipIf(!hasShellcheck)(
    `passes shellcheck${hasShellcheck ? '' : ' (skipped: it is not installed)'}`,
    () => {
      expect(run('shellcheck', script).stdout).toBe('');
    },
  );

  it.each([[[]], [['--raw']], [['a', 'b']], [['']]])('says how it is used for %j', (options) => {
    const { status, stdout, stderr } = run(script, ...options);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('usage: ');
  });
});
