import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startProcess, untilReady } from '../../real/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'cloud-sandbox-process-'));
afterAll(() => rmSync(directory, { recursive: true }));

const start = (options: readonly string[]) =>
  startProcess({ name: 'it', command: 'node', options, logFile: join(directory, 'it.log') });

describe('a program of others that is waited for', () => {
  it('is killed if it is not ready in time: ready later, it would hold its port', async () => {
    const process = start(['--eval', 'setInterval(() => {}, 1000)']);
    const waiting = untilReady({ name: 'it', process, withinSeconds: 0 }, async () => false);
    await expect(waiting).rejects.toThrow('it was not ready within 0 s');
    expect(process.hasExited()).toBe(true);
  });

  it('is killed if it cannot be asked whether it is ready', async () => {
    const process = start(['--eval', 'setInterval(() => {}, 1000)']);
    const waiting = untilReady({ name: 'it', process, withinSeconds: 60 }, async () => {
      throw new Error('the question is wrong');
    });
    await expect(waiting).rejects.toThrow('the question is wrong');
    expect(process.hasExited()).toBe(true);
  });

  it('is not waited for once it has ended', async () => {
    const process = start(['--eval', 'process.exit(3)']);
    await process.exited;
    await expect(untilReady({ name: 'it', process, withinSeconds: 60 }, async () => false)).rejects.toThrow(
      'it ended: exit code 3',
    );
  });
});
