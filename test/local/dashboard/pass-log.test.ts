import { describe, expect, it } from 'vitest';
import { createPassLog } from '../../../local/dashboard/pass-log.ts';
import { createDroverWorld, terminate, withWorkers } from '../../../local/world/drover-world.ts';
import { untilGone } from '../../support/observed-instance.ts';

const line = (fields: object = {}): string =>
  JSON.stringify({
    level: 'info',
    message: 'pass',
    time: '2026-01-05T08:00:00.000Z',
    work: 'leaving',
    subject: 'i-0123456789abcdef0',
    outcome: 'again',
    reason: 'waits for 2 pods',
    afterSeconds: 20,
    seconds: 0.4,
    ...fields,
  });

describe('the log of passes', () => {
  it('keeps the last passes, the newest first, each with a number', () => {
    const log = createPassLog({ capacity: 2 });
    for (const reason of ['one', 'two', 'three']) log.write(line({ reason }));
    expect(log.latest()).toMatchObject([
      { number: 3, reason: 'three' },
      { number: 2, reason: 'two' },
    ]);
  });

  it('distinguishes a failed pass from one that waits', () => {
    const log = createPassLog();
    log.write(line({ level: 'error' }));
    expect(log.latest()).toMatchObject([{ outcome: 'failed' }]);
  });

  it.each([
    ['no JSON', 'START RequestId: 1'],
    ['another line', line({ message: 'intake' })],
    ['a pass without a reason', line({ reason: undefined })],
    ['a pass with an outcome of tomorrow', line({ outcome: 'perhaps' })],
    ['nothing', ''],
  ])('passes over %s', (_, text) => {
    const log = createPassLog();
    log.write(text);
    expect(log.latest()).toEqual([]);
  });

  it('reads the lines that the functions write', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1 });
    terminate(world, leaving);
    await untilGone(world, leaving);
    const log = createPassLog();
    for (const written of world.lines) log.write(JSON.stringify(written));
    const passes = world.lines.filter(({ message }) => message === 'pass');
    expect(passes.length).toBeGreaterThan(0);
    expect(log.latest()).toHaveLength(passes.length);
    expect(log.latest()).toContainEqual(expect.objectContaining({ subject: leaving, outcome: 'done' }));
  });
});
