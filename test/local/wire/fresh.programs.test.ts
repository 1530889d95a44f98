import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interrupt, type StartedSandbox, startSandbox } from './support/started-sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'fresh-sandbox-'));
// Other tests have sandboxes in this folder at the same time.
const file = join(folder, 'environment.json');

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox('--no-story', '--speed', '20', '--environment', file);
});

afterAll(async () => {
  await interrupt(sandbox);
  rmSync(folder, { recursive: true });
});

/** Runs drover in a shell that knows the sandbox only from `drover env`; rejects unless the command exits with 0. */
async function drover(words: string): Promise<string> {
  const cli = `${process.execPath} cli/drover.ts`;
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', `set -e; settings=$(${cli} env --file ${file}); eval "$settings"; ${cli} ${words}`],
    { env: { PATH, HOME } },
  );
  return stdout;
}

describe('on a fresh sandbox', () => {
  it.each([
    ['status', /drover-etcd +etcd +3 +0 +yes/],
    ['groups', /drover-etcd +etcd +0 +3 +10 +\d +- +0/],
    ['groups --json', /"missing": 0/],
    ['hooks', /drover-etcd +terminating/],
    ['doctor', /^(?!.*(?:Must be fixed|Advice|Could not be read)).*\n\d+ ok: /s],
    ['rotate --dry-run', /would publish|nothing to publish/],
    ['etcd status', /^etcd\.drover\.internal: /],
    ['etcd snapshots', /there are no snapshots|drover\//],
  ])(
    'drover %s needs no more than the variables of drover env, and complains of nothing',
    async (words, expected) => {
      expect(await drover(words)).toMatch(expected);
    },
    30_000,
  );

  it('drover shows the times of a sandbox at another speed', async () => {
    await drover('hold create drover-workers 3 --for 10h --name slow');
    const { stdout } = await promisify(execFile)('date', ['-u', '+%s']);
    const listed: { readonly name: string; readonly until: string }[] = JSON.parse(
      await drover('hold list --json'),
    );
    const until = Date.parse(listed.find(({ name }) => name === 'slow')?.until ?? '');
    // The sandbox has run for seconds, and its time is minutes ahead of the machine's.
    expect(until / 1000 - Number(stdout)).toBeGreaterThan(10 * 3600 + 60);
  }, 90_000);
});
