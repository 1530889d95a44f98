import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measureRoll, type RollCost } from '../../scripts/bench/roll.ts';
import { rolledAtOnce } from '../../scripts/bench/suites/rolls.ts';

const page = readFileSync(new URL('../../docs/rolling.md', import.meta.url), 'utf8');

/** The row of the table in docs/rolling.md: of a roll, then of an instance refresh. */
function rowOf(name: string): readonly number[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
  return row
    .split('|')
    .slice(2, 4)
    .map((cell) => Number(cell.trim()));
}

const rounded = (value: number): number => Number(value.toPrecision(3));

describe('50 nodes that are all replaced, five at once', () => {
  it('cost as much as docs/rolling.md says: each pod is evicted once, and no budget is broken', {
    timeout: 300_000,
  }, async () => {
    const costs: readonly RollCost[] = [
      await measureRoll({ ...rolledAtOnce, by: 'drover roll' }),
      await measureRoll({ ...rolledAtOnce, by: 'instance refresh' }),
    ];
    const [roll] = costs;
    expect(roll?.evictionsPerPod).toBeLessThanOrEqual(1.1);
    expect(costs.map(({ fewestReady }) => fewestReady)).toEqual([9, 9]);
    expect(rowOf('evictions a pod')).toEqual(costs.map((one) => rounded(one.evictionsPerPod)));
    expect(rowOf('minutes')).toEqual(costs.map((one) => rounded(one.simulatedSeconds / 60)));
    expect(rowOf('calls to AWS a node')).toEqual(costs.map((one) => rounded(one.awsCalls)));
    expect(rowOf('requests to the API server a node')).toEqual(costs.map((one) => rounded(one.apiRequests)));
  });
});
