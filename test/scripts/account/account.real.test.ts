import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaksIn } from '@drover/cloud-sandbox/real/account/fixtures.ts';
import { miniStack, moto, running } from '@drover/cloud-sandbox/real/emulators/emulators.ts';
import { expect, test } from 'vitest';
import { type CommandPlace, fixturesIn, startAccountCommand } from './support/account-command.ts';

const placeAt = (endpoint: string): CommandPlace => ({
  endpoint,
  region: 'us-east-1',
  // Emulators do everything at once.
  speed: 999,
  accessKeyId: 'x',
  secretAccessKey: 'x',
});

const startMoto = running(moto);
test.skipIf(moto.missing !== undefined)(
  'a run with moto as the account passes what moto passes, leaves nothing there, and lists what moto answers otherwise',
  async () => {
    const place = placeAt((await startMoto()).url);
    const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
    const run = startAccountCommand(
      place,
      '--fixtures',
      folder,
      '--suite',
      'hooks',
      '--yes',
      '--compare',
      '--only',
      'found by its name|has its propagated tags|labels? |a flexible window is stored',
    );
    await run.ended;
    expect(run.text()).toMatch(/Tests .*[1-9]\d* passed.*Nothing is left\nNothing is left/s);
    expect(run.ledger()).toMatch(/"made","kind":"Auto Scaling group".*"clean"/s);
    for (const kind of ['rule', 'role', 'schedule'])
      expect(run.ledger()).toContain(`"made","kind":"${kind}"`);
    expect(run.text()).toMatch(/\d+ differences from the sandbox:\n {2}\w+:\w+: only the /);
    const fixtures = fixturesIn(folder);
    expect(fixtures.map(({ area }) => area)).toEqual(
      expect.arrayContaining(['Auto Scaling', 'EventBridge Scheduler', 'Parameter Store']),
    );
    expect(leaksIn(JSON.stringify(fixtures))).toEqual([]);
    rmSync(folder, { recursive: true });
    const sweep = startAccountCommand(place, '--sweep');
    expect(await sweep.ended, sweep.text()).toBe(0);
    run.forget();
  },
);

const startMiniStack = running(miniStack);
test.skipIf(miniStack.missing !== undefined)(
  'a run in an account without an image of Amazon Linux, as MiniStack is one, says so and makes nothing',
  async () => {
    const run = startAccountCommand(placeAt((await startMiniStack()).url), '--suite', 'hooks', '--yes');
    expect(await run.ended).toBe(1);
    expect(run.text()).toContain('Failed: NetworkError: the region has no image');
    expect(run.ledger()).not.toContain('"intent"');
    run.forget();
  },
);
