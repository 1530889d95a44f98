import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Fixture, readFixture } from '@drover/cloud-sandbox/real/account/fixtures.ts';

const folder = 'reports/account';

interface Started {
  readonly child: ChildProcess;
  /** What it has written so far, on both streams. */
  readonly text: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** The content of its ledger. */
  readonly ledger: () => string;
  /** The answers that it has recorded, one a line. */
  readonly answers: () => string;
  /** Removes the files that it has left. */
  readonly forget: () => void;
}

export interface CommandPlace {
  readonly endpoint: string;
  readonly region: string;
  readonly speed: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Variables beside the keys. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The fixtures that a run has written. */
export const fixturesIn = (folder: string): readonly Fixture[] =>
  readdirSync(folder).map((file) => readFixture(readFileSync(join(folder, file), 'utf8')));

const runIdIn = (text: string): string => /run ([0-9a-f]{8})$/m.exec(text)?.[1] ?? 'none';

/** Starts `npm run account` with these flags for an account on the wire. */
export function startAccountCommand(place: CommandPlace, ...flags: readonly string[]): Started {
  const { endpoint, region, speed, accessKeyId, secretAccessKey, environment } = place;
  const words = ['--region', region, '--endpoint', endpoint, '--speed', String(speed), ...flags];
  const child = spawn(process.execPath, ['scripts/account/main.ts', ...words], {
    env: {
      ...process.env,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...environment,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return {
    child,
    text: () => text,
    ended: once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string | null),
    ledger: () => readFileSync(join(folder, `${runIdIn(text)}.jsonl`), 'utf8'),
    answers: () => readFileSync(join(folder, `${runIdIn(text)}-answers.jsonl`), 'utf8'),
    forget: () => {
      for (const file of readdirSync(folder)) if (file.startsWith(runIdIn(text))) rmSync(join(folder, file));
    },
  };
}
