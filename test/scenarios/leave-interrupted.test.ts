import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyboard } from '../cli/keyboard.ts';
import { remains, runningWorld } from '../cli/leave/world.ts';
import { operatorOf } from '../cli/operator.ts';

const nothingLeft = { hooks: ['backup'], keys: [], capacity: [], bounds: [1, 5, 3] };

describe('Ctrl-C in drover leave', () => {
  it.each(['leave workers --yes', 'leave workers --yes --json'])(
    'at any call of %s says how to go on, and the next run ends with nothing left',
    async (line) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (at) => {
          const world = await runningWorld('kubeadm');
          const { onInterrupt, pressCtrlC, isHeld } = createKeyboard();
          let calls = 0;
          const { code, out, err } = await operatorOf(world, {
            onInterrupt,
            onAwsCall: () => {
              if (isHeld() && ++calls === at) pressCtrlC();
            },
          })(line);
          if (calls >= at) {
            expect(code).toBe(130);
            expect(err).toMatch(/interrupted: .*(?:drover leave workers goes on|everything was done)/);
          } else expect(code).toBe(0);
          // Standard output has the plan and what was done, or JSON and nothing else.
          if (line.includes('--json') && out !== '') JSON.parse(out);
          expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
          expect(remains(world)).toMatchObject(nothingLeft);
        }),
        { numRuns: 4 },
      );
    },
    120_000,
  );

  it('while the pause is awaited ends at once, and names the group that stays paused', async () => {
    const world = await runningWorld('kubeadm');
    const { onInterrupt, pressCtrlC } = createKeyboard();
    const { code, err } = await operatorOf(world, {
      onInterrupt,
      pause: () => {
        pressCtrlC();
        return new Promise(() => undefined);
      },
    })('leave workers --yes');
    expect(code).toBe(130);
    expect(err).toContain('workers is paused and has not left; drover leave workers goes on');
    expect((await operatorOf(world)('resume workers')).code).toBe(0);
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
    expect(remains(world)).toMatchObject(nothingLeft);
  });
});

describe('standard output with --json', () => {
  it.each([
    'leave workers --json',
    'leave workers --json --plan',
    'release workers --json',
    'uninstall --json --plan',
    'pause --json --dry-run',
    'adopt workers --json',
    'adopt workers --check --json',
  ])('of drover %s in a pipe is one JSON document, and the rest is on standard error', async (line) => {
    const world = await runningWorld('eks');
    const { out } = await operatorOf(world)(line);
    expect(JSON.parse(out)).toBeTypeOf('object');
  });
});
