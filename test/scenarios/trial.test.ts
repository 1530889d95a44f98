import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../local/world/holds.ts';
import { createKeyboard } from '../cli/keyboard.ts';
import { operatorOf } from '../cli/operator.ts';
import {
  createTrialGround,
  expectNothingLeft,
  inTime,
  isWrite,
  type TrialGround,
  type TrialGroundOptions,
} from '../support/trial-ground.ts';

/** The writes of a trial that passes, in their order. */
async function writesOfTrial(): Promise<readonly string[]> {
  const writes: string[] = [];
  const strike = (call: CallInFlight): undefined => void (isWrite(call) && writes.push(call.what));
  await runTrial(await createTrialGround({ strike }));
  return writes;
}

function runTrial({ world, begin }: TrialGround) {
  begin();
  return operatorOf(world)('trial workers --yes');
}

const cleanUpAfter = ({ world }: TrialGround) => operatorOf(world)('trial --clean-up --yes');

const writes = (await writesOfTrial()).map((what, index) => [index + 1, what] as const);

/** With MinSize as large as the group, AWS itself would refuse to make the group smaller than before. */
const minSizes = [3, 1];

async function leavesNothing(
  { world, ids }: TrialGround,
  { minSize }: Required<Pick<TrialGroundOptions, 'minSize'>>,
): Promise<void> {
  await world.timeline.pass(20 * 60);
  expectNothingLeft(world, ids, minSize);
}

describe('a trial', () => {
  it.each(minSizes)('passes, and leaves everything as it was (MinSize %i of 3)', async (minSize) => {
    const ground = await createTrialGround({ minSize, joinsWithinSeconds: 300 });
    const { code, out, err } = await runTrial(ground);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').filter((line) => /passed|failed/.test(line))).toEqual([
      expect.stringMatching(/^hold {3}passed in .*raised MinSize from \d to 4, and i-\w+ was launched/),
      expect.stringMatching(/^join {3}passed in .*node-joining: .*: its hook is completed$/),
      expect.stringMatching(/^pods {3}passed in .*: 2 pods run on ip-/),
      expect.stringMatching(/^drain {2}passed in .*node-leaving: .*; its hook is completed$/),
      'The trial of workers has passed, and nothing of it is left',
    ]);
    await leavesNothing(ground, { minSize });
  });

  it('passes although what AWS describes is ten seconds old', async () => {
    const ground = await createTrialGround({ minSize: 1, staleSeconds: 10 });
    expect(await runTrial(ground)).toMatchObject({ code: 0, err: '' });
    await leavesNothing(ground, { minSize: 1 });
  });

  it('is the same for a program', async () => {
    const ground = await createTrialGround();
    ground.begin();
    const { code, out } = await operatorOf(ground.world)('trial workers --yes --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      cluster: 'drover',
      group: 'workers',
      instanceId: expect.stringMatching(/^i-/),
      passed: true,
      steps: ['hold', 'join', 'pods', 'drain'].map((step) => expect.objectContaining({ step, passed: true })),
      left: [],
      notes: [],
    });
  });

  it.each(['trial workers --plan', 'trial workers', 'trial --clean-up --yes'])(
    'changes nothing by drover %s',
    async (line) => {
      const ground = await createTrialGround();
      await operatorOf(ground.world)(line);
      await leavesNothing(ground, { minSize: 3 });
    },
  );
});

it('a trial that is killed has raised MinSize for a quarter of an hour at most', async () => {
  let isLost = false;
  const strike = ({ what }: CallInFlight): Strike | undefined => {
    if (isLost) return { kind: 'fail-before' };
    isLost = what === 'ssm PutParameter';
    return undefined;
  };
  const ground = await createTrialGround({ strike });
  const begunAt = ground.world.clock.now();
  await runTrial(ground);
  await ground.world.timeline.until(() => boundsOf(ground.world).minSize === 3, {
    withinSeconds: 1200,
    what: 'the MinSize of before',
  });
  expect(ground.world.clock.now() - begunAt).toBeLessThan(20 * 60_000);
});

it('the clean-up removes what would hold up another drain before anything else', () => {
  const removals = writes.map(([, what]) => what).filter((what) => /^DELETE|^ssm Delete/.test(what));
  expect(removals.slice(-3)).toEqual([
    'DELETE /apis/policy/v1/namespaces/drover-trial/poddisruptionbudgets/trial',
    'DELETE /apis/apps/v1/namespaces/drover-trial/replicasets/trial',
    'DELETE /api/v1/namespaces/drover-trial',
  ]);
});

describe.each(minSizes)('a trial in a group of MinSize %i', (minSize) => {
  it.each(writes)('that loses its network at write %i (%s) is ended by --clean-up', async (nth) => {
    for (const last of [{ kind: 'fail-before' }, { kind: 'fail-after' }] as const) {
      let count = 0;
      const strike = (call: CallInFlight): Strike | undefined => {
        if (count >= nth) return { kind: 'fail-before' };
        count += isWrite(call) ? 1 : 0;
        return count === nth ? last : undefined;
      };
      const ground = await createTrialGround({ strike, minSize });
      expect((await runTrial(ground)).code).toBe(1);
      ground.calm();
      expect(await cleanUpAfter(ground)).toMatchObject({ code: 0, err: '' });
      await leavesNothing(ground, { minSize });
    }
  });

  it.each(writes)('that meets one fault at write %i (%s) leaves nothing', async (nth) => {
    const faults: readonly Strike[] = [
      { kind: 'fail-before' },
      { kind: 'fail-after' },
      { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) },
    ];
    for (const fault of faults) {
      let count = 0;
      const strike = (call: CallInFlight): Strike | undefined => {
        count += isWrite(call) ? 1 : 0;
        return count === nth && isWrite(call) ? fault : undefined;
      };
      const ground = await createTrialGround({ strike, minSize, staleSeconds: 5 });
      const { out, err } = await runTrial(ground);
      if (/\nleft |whether namespace/.test(out + err)) await cleanUpAfter(ground);
      await leavesNothing(ground, { minSize });
    }
  });

  it.each(writes)('that is interrupted at write %i (%s) cleans up by itself', async (nth) => {
    const { onInterrupt, pressCtrlC } = createKeyboard();
    let count = 0;
    const strike = (call: CallInFlight): undefined => {
      count += isWrite(call) ? 1 : 0;
      if (count === nth) pressCtrlC();
    };
    const ground = await createTrialGround({ strike, minSize, staleSeconds: 5 });
    ground.begin();
    const { code, out } = await operatorOf(ground.world, { onInterrupt })('trial workers --yes');
    expect(code).toBe(130);
    expect(out.includes('has passed')).toBe(out.includes('drain  passed'));
    await leavesNothing(ground, { minSize });
  });

  it.each(writes)('that is interrupted while write %i (%s) is on its way waits for it', async (nth) => {
    const { onInterrupt, pressCtrlC } = createKeyboard();
    let count = 0;
    const latencyMilliseconds = (call: CallInFlight): number => {
      if (!isWrite(call)) return 0;
      count += 1;
      if (count === nth) pressCtrlC();
      return count === nth ? 8000 : 0;
    };
    const ground = await createTrialGround({ latencyMilliseconds, minSize });
    const { clock } = ground.world;
    const pause = (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void clock.after(milliseconds, resolve));
    ground.begin();
    const run = operatorOf(ground.world, { onInterrupt, pause })('trial workers --yes');
    expect((await inTime(ground.world, run)).code).toBe(130);
    await leavesNothing(ground, { minSize });
  });

  it.each(writes)('that another process cleans up at write %i (%s) lowers the group once', async (nth) => {
    let other: Promise<{ readonly code: number }> | undefined;
    let count = 0;
    let cleanUpElsewhere = (): typeof other => undefined;
    const strike = (call: CallInFlight): undefined => {
      count += isWrite(call) ? 1 : 0;
      if (count === nth) other ??= cleanUpElsewhere();
    };
    const ground = await createTrialGround({ strike, minSize });
    cleanUpElsewhere = () => cleanUpAfter(ground);
    await runTrial(ground);
    await other;
    await cleanUpAfter(ground);
    await leavesNothing(ground, { minSize });
  });
});
