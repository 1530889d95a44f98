import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../cli/context.ts';
import { createApplyWorld, shop, stateOf } from './support.ts';

/** A world with something to create, replace, adopt and prune, and the file that asks for it. */
async function createChangedWorld() {
  const applied = await createApplyWorld();
  applied.declare(
    `${shop}  - { name: old, autoScalingGroupName: workers, nodes: 1, expression: cron(0 1 ? * * *), durationSeconds: 60 }\n`,
  );
  await applied.drover('apply -f drover.yaml');
  await applied.drover('hold create workers 2 --until 2026-01-05T16:00Z --name by-hand');
  applied.declare(
    shop
      .replace('nodes: 3', 'nodes: 4')
      .replace('nodes: 5', 'nodes: 6')
      .replace(
        'schedules:',
        '  - { autoScalingGroupName: workers, name: by-hand, nodes: 2, until: "2026-01-05T16:00:00Z" }\n' +
          '  - { autoScalingGroupName: workers, name: new, nodes: 1, until: "2026-01-06T00:00:00Z" }\nschedules:',
      ),
  );
  return applied;
}

/** The machine's AWS, where from one call on nothing gets through. The last call before that may have been carried out without its answer. */
function cutAfter(handler: NonNullable<Machine['awsRequestHandler']>, calls: number, isCarriedOut: boolean) {
  let made = 0;
  const cut = {
    ...handler,
    handle: async (...call: Parameters<typeof handler.handle>) => {
      made += 1;
      if (made <= calls) return await handler.handle(...call);
      if (made === calls + 1 && isCarriedOut) await handler.handle(...call);
      throw Object.assign(new Error('socket hang up'), { name: 'AbortError' });
    },
  };
  return { cut, made: () => made };
}

describe('a run of drover apply that is cut', () => {
  it.each([false, true])(
    'at any call of AWS and run again ends in the declared state (the last call carried out: %s)',
    async (isCarriedOut) => {
      const whole = await createChangedWorld();
      expect((await whole.drover('apply -f drover.yaml --prune')).out).toContain(
        '1 created, 2 replaced, 1 adopted, 1 pruned\n',
      );
      const wanted = await stateOf(whole.drover);
      for (let calls = 0; ; calls += 3) {
        const { world, files, drover } = await createChangedWorld();
        const handler = world.doors('operator').awsRequestHandler;
        if (handler === undefined) throw new Error('the world has no AWS');
        const { cut, made } = cutAfter(handler, calls, isCarriedOut);
        const failing = await createApplyWorld({ world, files, awsRequestHandler: cut });
        const { code } = await failing.drover('apply -f drover.yaml --prune');
        if (made() <= calls) {
          expect([calls > 20, code]).toEqual([true, 0]);
          return;
        }
        expect((await drover('apply -f drover.yaml --prune')).code).toBe(0);
        expect(await stateOf(drover)).toEqual(wanted);
        expect((await drover('diff -f drover.yaml --prune')).code).toBe(0);
      }
    },
  );

  it('by Ctrl-C ends between two changes, and says how many were made', async () => {
    const { world, files } = await createChangedWorld();
    let press = (): void => undefined;
    const { drover } = await createApplyWorld({
      world,
      files,
      onInterrupt: (listener) => {
        press = listener;
        return () => undefined;
      },
      onOutput: (text) => {
        if (text.startsWith('adopted')) press();
      },
    });
    const { drover: again } = await createApplyWorld({ world, files });
    const { code, err } = await drover('apply -f drover.yaml --prune');
    expect(code).toBe(130);
    expect(err).toContain('interrupted: 2 of 5 changes were made, and applying again makes the rest');
    expect((await again('apply -f drover.yaml --prune')).out).toContain(
      '1 created, 1 replaced, 1 pruned, 2 unchanged',
    );
  });
});
