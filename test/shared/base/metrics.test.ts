import { array, assert, constantFrom, integer, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMetrics, type MetricName, metricUnits } from '../../../shared/base/metrics.ts';

function createBench() {
  let now = 0;
  const lines: Record<string, unknown>[] = [];
  const metrics = createMetrics(
    { clock: { now: () => now }, writeLine: (line) => lines.push(JSON.parse(line)) },
    'prod',
  );
  return {
    metrics,
    lines,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

describe('a metric', () => {
  it('that is zero is not written, so that a quiet deployment pays for none', () => {
    const { metrics, lines } = createBench();
    metrics.put({ RepairsWithheld: 0, NodesRepaired: 2 });
    metrics.put({ RepairsWithheld: 0, NodesRepaired: 0 }, { Role: 'worker' });
    expect(lines).toMatchObject([{ NodesRepaired: 2 }, { NodesRepaired: 0 }]);
    for (const line of lines) expect(line).not.toHaveProperty('RepairsWithheld');
  });

  it('is zero for an hour after another value, so that its alarm ends at once', () => {
    const { metrics, lines, pass } = createBench();
    metrics.put({ HoldProblems: 3 });
    pass(60);
    metrics.put({ HoldProblems: 0 });
    pass(3539);
    metrics.put({ HoldProblems: 0 });
    pass(1);
    metrics.put({ HoldProblems: 0 });
    expect(lines.map(({ HoldProblems }) => HoldProblems)).toEqual([3, 0, 0]);
  });

  it('of a node that left or joined is written also if it took no time: it is counted', () => {
    const { metrics, lines } = createBench();
    metrics.put({ DrainSeconds: 0 });
    metrics.put({ JoinSeconds: 0 });
    expect(lines).toHaveLength(2);
  });

  it('that is not finite is left out of its line', () => {
    const { metrics, lines } = createBench();
    metrics.put({ Holds: Number.NaN, Parked: 1, PassAgeSeconds: Infinity });
    expect(lines).toEqual([{ _aws: expect.anything(), Cluster: 'prod', Parked: 1 }]);
    metrics.put({ Holds: Number.NaN });
    expect(lines).toHaveLength(1);
  });

  it('other than zero is always written, whatever came before', () => {
    const name = constantFrom(...(Object.keys(metricUnits) as MetricName[]));
    const put = record({ name, value: integer({ min: -1, max: 1 }), pause: nat(7200) });
    assert(
      property(array(put, { maxLength: 30 }), (puts) => {
        const { metrics, lines, pass } = createBench();
        for (const { name: metric, value, pause } of puts) {
          pass(pause);
          metrics.put({ [metric]: value });
        }
        const written = lines.filter((line) => !puts.some(({ name: metric }) => line[metric] === 0));
        expect(written).toHaveLength(puts.filter(({ value }) => value !== 0).length);
      }),
    );
  });
});
