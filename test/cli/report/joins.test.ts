import { describe, expect, it } from 'vitest';
import { joinsOf } from '../../../cli/report/fold/joins.ts';
import { instanceId, type Line, spansOf, start, waits } from './lines.ts';

const joinsIn = (lines: readonly Line[], until = 100_000) =>
  joinsOf(instanceId, spansOf(lines), start + until * 1000);
const workers = { autoScalingGroupName: 'workers' };
const joined = (at: number, joinSeconds: number): Line => ({
  at,
  outcome: 'done',
  facts: { ...workers, node: 'node-1', joinSeconds },
});

describe('a join', () => {
  it('has its time and what it waited for', () => {
    const lines = [
      ...waits(0, 40, { ...workers, waitsFor: 'node' }),
      ...waits(40, 100, { ...workers, waitsFor: 'ready' }),
      joined(100, 104),
    ];
    expect(joinsIn(lines)).toEqual([
      {
        instanceId,
        group: 'workers',
        node: 'node-1',
        from: start,
        end: start + 100_000,
        result: 'joined',
        joinSeconds: 104,
        waits: { node: 40, ready: 60 },
      },
    ]);
  });

  it('whose last pass is repeated counts once', () => {
    const repeated = { at: 112, outcome: 'done' as const, facts: { ...workers, node: 'node-1' } };
    expect(joinsIn([joined(100, 100), repeated, joined(100, 100)])).toMatchObject([{ joinSeconds: 100 }]);
  });

  it('whose last pass has a clock that is behind is one join, and none that goes on', () => {
    expect(joinsIn([joined(100, 100), { at: 100.4, facts: { ...workers, waitsFor: 'ready' } }])).toHaveLength(
      1,
    );
  });

  it('whose completion got no answer is a join without a time', () => {
    const after = { at: 60, outcome: 'done' as const, facts: { ...workers, node: 'node-1' } };
    expect(joinsIn([...waits(0, 60, { waitsFor: 'failure' }), after])).toMatchObject([
      { result: 'joined', joinSeconds: undefined },
    ]);
  });

  it('of an instance that joins again after a warm pool is another one, and its way into the pool is none', () => {
    const intoPool = { at: 50, outcome: 'done' as const, facts: { ...workers, toWarmPool: true } };
    const lines = [
      ...waits(0, 50, { waitsFor: 'node' }),
      intoPool,
      ...waits(9000, 9060, { waitsFor: 'node' }),
      joined(9060, 60),
    ];
    expect(joinsIn(lines)).toMatchObject([{ from: start + 9_000_000, joinSeconds: 60, waits: { node: 60 } }]);
  });

  it('that was abandoned, that ended otherwise, and that goes on are named so', () => {
    const abandoned = { at: 20, outcome: 'done' as const, facts: { ...workers, joinsAbandoned: 1 } };
    const over = { at: 20, outcome: 'done' as const, facts: {} };
    const waiting = waits(0, 20, { waitsFor: 'node' });
    expect(joinsIn([...waiting, abandoned])).toMatchObject([{ result: 'abandoned' }]);
    expect(joinsIn([...waiting, over])).toMatchObject([{ result: 'over' }]);
    expect(joinsIn(waiting, 60)).toMatchObject([{ result: 'joining', end: undefined }]);
    expect(joinsIn(waiting, 6000)).toMatchObject([{ result: 'lost' }]);
  });
});
