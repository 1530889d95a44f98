import { versions } from '@drover/cloud-sandbox/real/versions.ts';
import { describe, expect, it } from 'vitest';
import { quietSeconds, secondsOf, sharesOf, timesSmaller } from '../../../scripts/gates/shares.ts';

const quiet = { turn: 0, isWhole: false, seconds: quietSeconds };

describe('the shares of a run', () => {
  it('are full on a quiet machine', () => {
    expect(sharesOf(quiet)).toEqual({
      LIFETIMES_COUNT: '100',
      LIFETIMES_FIRST: '1',
      ETCD_LIFETIMES_COUNT: '20',
      ETCD_LIFETIMES_FIRST: '1',
      NTH_ROUNDS: '1',
      NTH_FIRST_ROUND: '1',
      ETCD_STRIKE: 'fail-before',
      MUTATION_SHARE: '0/8',
      PLANTED_SHARE: '0/4',
      JOINING_SHARE: '0/18',
      REPAIR_SHARE: '0/4',
      ROLL_STRIKES: '0/24',
      FUZZED_REQUESTS: '150000',
      FUZZED_TOKENS: '150000',
      SCHEDULER_CLUSTERS: '1000',
      SCHEDULER_SEED: '0',
      POD_MONTH_SEED: '1',
      REAL_KUBERNETES: '1.34.4',
      REAL_ETCD: '3.6.16',
    });
  });

  it('are smaller on a slow machine, and a month of capacity is some days', () => {
    expect(sharesOf({ ...quiet, turn: 25, seconds: 2 * quietSeconds })).toMatchObject({
      LIFETIMES_COUNT: '50',
      ETCD_LIFETIMES_COUNT: '10',
      NTH_FIRST_ROUND: '6',
      MUTATION_SHARE: '9/16',
      PLANTED_SHARE: '1/8',
      JOINING_SHARE: '7/18',
      REPAIR_SHARE: '1/8',
      ROLL_STRIKES: '1/24',
      FUZZED_REQUESTS: '75000',
      CAPACITY_DAYS: '4',
      POD_MONTH_SEED: '2',
      POD_MONTH_DAYS: '15',
    });
  });

  it('are everything in a whole run, however slow the machine is', () => {
    const whole = { turn: 7, isWhole: true, seconds: 9 * quietSeconds };
    expect(sharesOf(whole)).toEqual({
      SCHEMATHESIS_EXAMPLES: '500',
      SCHEDULER_CLUSTERS: '5000',
      SCHEDULER_SEED: '7',
    });
  });

  it.each([
    [0, 1],
    [quietSeconds * 1.3, 1],
    [quietSeconds * 1.4, 2],
    [quietSeconds * 3, 3],
    [quietSeconds * 100, 8],
  ])('after %i seconds are %i times smaller', (seconds, times) => {
    expect(timesSmaller(seconds)).toBe(times);
  });

  it.each([quietSeconds, quietSeconds * 2.5])(
    'of consecutive commits together are everything, if the measured suites take %i s',
    (seconds) => {
      const runs = Array.from({ length: 400 }, (_, turn) => sharesOf({ turn, isWhole: false, seconds }));
      const seeds = (name: string) =>
        new Set(
          runs.flatMap((run) =>
            Array.from(
              { length: Number(run[`${name}_COUNT`]) },
              (_, index) => Number(run[`${name}_FIRST`]) + index,
            ),
          ),
        );
      expect(seeds('LIFETIMES').size).toBeGreaterThanOrEqual(10_000);
      expect(seeds('ETCD_LIFETIMES').size).toBeGreaterThanOrEqual(60);
      for (const name of [
        'MUTATION_SHARE',
        'PLANTED_SHARE',
        'JOINING_SHARE',
        'REPAIR_SHARE',
        'ROLL_STRIKES',
      ]) {
        const shares = Number(runs[0]?.[name]?.split('/')[1]);
        expect(new Set(runs.map((run) => run[name])).size, name).toBe(shares);
      }
      expect(new Set(runs.map((run) => run['ETCD_STRIKE'])).size).toBe(3);
      const pairs = runs.slice(0, 12).map((run) => `${run['REAL_KUBERNETES']} ${run['REAL_ETCD']}`);
      const isQuick = seconds === quietSeconds;
      expect(new Set(pairs).size).toBe((isQuick ? versions.kubernetes.length : 1) * versions.etcd.length);
      if (!isQuick) expect(runs[7]?.['REAL_KUBERNETES']).toBe(versions.kubernetes[0]);
    },
  );
});

describe('the time of suites', () => {
  it('is the sum of their times from the start to the last end', () => {
    const report = { startTime: 1000, testResults: [{ endTime: 5000 }, { endTime: 3000 }] };
    expect(secondsOf([report, { startTime: 9000, testResults: [] }, report])).toBe(8);
  });
});
