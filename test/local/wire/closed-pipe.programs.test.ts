import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCommands } from '../../../cli/completion/describe-commands.ts';
import { contextOn, thisMachine } from '../../../cli/context.ts';
import { createProgram } from '../../../cli/program.ts';
import { interrupt, type StartedSandbox, startSandbox } from './support/started-sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'closed-pipe-'));
const file = join(folder, 'environment.json');
let sandbox: StartedSandbox;
let environment: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox('--no-story', '--environment', file);
  environment = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
});

afterAll(async () => {
  await interrupt(sandbox);
  rmSync(folder, { recursive: true });
});

/** A real process with a reader that has left, as after `| head -1`. */
async function ended(words: string) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['cli/drover.ts', ...words.split(' ')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, PATH, HOME },
  });
  child.stdout.destroy();
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { errors, exitCode: exitCode as number };
}

const commands = [
  'status -o json',
  'status -o yaml',
  'status --watch',
  'groups',
  'nodes --json',
  'events --json',
  'redrive --json',
  'hooks',
  'hold list',
  'schedule list',
  'roll list',
  'csr list',
  'doctor --json',
  'token list',
  'etcd status',
  'etcd snapshots',
  'rbac --features certificates',
  'scale drover-workers 4 --dry-run --json',
  'plan --pods 1 --cpu 1 --memory 1Gi',
  'release drover-workers --plan --json',
  'pause --dry-run',
];

describe('a reader that closes its pipe early', () => {
  it.each(commands)(
    'ends drover %s quietly, with the exit code of SIGPIPE',
    async (words) => {
      expect(await ended(words)).toEqual({ errors: '', exitCode: 141 });
    },
    60_000,
  );

  it('is tried with each command that lists', () => {
    const listing = describeCommands(createProgram(contextOn(thisMachine())))
      .filter(({ flags }) => flags.some(({ long }) => long === 'output'))
      .map(({ path }) => path.replace(/^drover /, ''));
    expect(listing.length).toBeGreaterThan(5);
    expect(listing.filter((path) => !commands.some((line) => line.startsWith(path)))).toEqual([]);
  });
});
