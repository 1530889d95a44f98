import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runDrover } from '../run-drover.ts';

export const domain = 'etcd.example.internal';
export const start = Date.UTC(2026, 10, 21);

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-pki-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** `drover` on a machine without a network, at a moment of virtual time. */
export const droverAt = (now: number) => (line: string) =>
  runDrover(line, {
    environment: {},
    clock: { now: () => now, after: () => ({ cancel: () => undefined }) },
    pause: () => Promise.reject(new Error('nothing waits here')),
    sendHttp: () => Promise.reject(new Error('no network here')),
  });

export const drover = droverAt(start);
export const day = 86_400_000;
