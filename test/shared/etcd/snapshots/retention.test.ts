import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readSnapshotKey,
  type Snapshot,
  snapshotKey,
  snapshotsAmong,
} from '../../../../shared/etcd/snapshots/names.ts';
import { isFresh, planRetention, restorableAmong } from '../../../../shared/etcd/snapshots/retention.ts';

const now = Date.UTC(2026, 10, 21, 12);
const prefix = 'drover/prod';
const day = 86_400_000;
const latest = Date.UTC(2100, 0);

const clusterIds = fc.constantFrom('9a3f0c51d2b7e846', '1', 'ffffffffffffffff');
const names = fc.record(
  {
    clusterId: clusterIds,
    takenAt: fc.integer({ min: 0, max: latest }),
    revision: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  },
  { requiredKeys: ['clusterId', 'takenAt'] },
);
const bytes = 20_512;
const snapshotAt = (takenAt: number, clusterId = '1'): Snapshot => ({
  clusterId,
  takenAt,
  bytes,
  storedAt: takenAt,
  key: snapshotKey(prefix, { clusterId, takenAt }),
});
const snapshots = fc
  .uniqueArray(fc.tuple(clusterIds, fc.integer({ min: now - 40 * day, max: now })), {
    selector: ([clusterId, takenAt]) => `${clusterId} ${takenAt}`,
    maxLength: 40,
  })
  .map((all) => all.map(([clusterId, takenAt]) => snapshotAt(takenAt, clusterId)));
const policies = fc.record({ keep: fc.integer({ min: 1, max: 10 }), days: fc.integer({ min: 0, max: 30 }) });

describe('the key of a snapshot', () => {
  it('is read back as written', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(readSnapshotKey(prefix, snapshotKey(prefix, name))).toEqual(name);
      }),
    );
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: latest }), fc.integer({ min: 0, max: latest }), (one, other) => {
        const [first = '', second = ''] = [one, other].map((takenAt) =>
          snapshotKey(prefix, { clusterId: '1', takenAt }),
        );
        expect(Math.sign(one - other)).toBe(first < second ? -1 : Number(first > second));
      }),
    );
  });

  it.each([
    'drover/prod/1/2026-11-21T20:05:44.123Z.txt',
    'drover/prod/1/yesterday.db',
    'drover/prod/xyz/2026-11-21T20:05:44.123Z.db',
    'drover/prod2/1/2026-11-21T20:05:44.123Z.db',
    'drover/prod/1/2026-13-41T20:05:44.123Z.db',
    'drover/prod/a/1/2026-11-21T20:05:44.123Z.db',
    'drover/prod',
  ])('is not read from %s', (key) => {
    expect(readSnapshotKey(prefix, key)).toBeUndefined();
    expect(snapshotsAmong(prefix, [{ key, bytes, storedAt: 0 }])).toEqual([]);
  });

  it('is found newest first', () => {
    const all = [snapshotAt(1000), snapshotAt(3000), snapshotAt(2000)];
    expect(snapshotsAmong(prefix, all).map(({ takenAt }) => takenAt)).toEqual([3000, 2000, 1000]);
  });
});

describe('the retention of snapshots', () => {
  it('keeps the newest, and the newest of each day', () => {
    const all = [0, 1, 2, 24, 25, 49, 73, 240].map((hours) => snapshotAt(now - hours * 3_600_000));
    const { keep } = planRetention(all, now, { keep: 2, days: 3 });
    expect(keep.map(({ takenAt }) => (now - takenAt) / 3_600_000)).toEqual([0, 1, 24, 49]);
  });

  it('keeps or removes each, and removes nothing when run again', () => {
    fc.assert(
      fc.property(snapshots, policies, (all, wanted) => {
        const { keep, remove } = planRetention(all, now, wanted);
        expect([...keep, ...remove].map(({ key }) => key).toSorted()).toEqual(
          all.map(({ key }) => key).toSorted(),
        );
        expect(planRetention(keep, now, wanted).remove).toEqual([]);
      }),
    );
  });

  it('never removes one of the newest of a cluster, nor the newest of a kept day', () => {
    fc.assert(
      fc.property(snapshots, policies, (all, wanted) => {
        const { remove } = planRetention(all, now, wanted);
        for (const gone of remove) {
          const newer = all.filter(
            ({ clusterId, takenAt }) => clusterId === gone.clusterId && takenAt > gone.takenAt,
          );
          expect(newer.length).toBeGreaterThanOrEqual(wanted.keep);
          const isOld = Math.floor(now / day) - Math.floor(gone.takenAt / day) >= wanted.days;
          const hasNewer = newer.some(
            ({ takenAt }) => Math.floor(takenAt / day) === Math.floor(gone.takenAt / day),
          );
          expect(isOld || hasNewer).toBe(true);
        }
      }),
    );
  });

  it('keeps no more than the policy says', () => {
    fc.assert(
      fc.property(snapshots, policies, (all, wanted) => {
        const { keep } = planRetention(all, now, wanted);
        const clusters = new Set(all.map(({ clusterId }) => clusterId)).size;
        expect(keep.length).toBeLessThanOrEqual(clusters * (wanted.keep + wanted.days));
      }),
    );
  });

  it('keeps the last snapshot of a lost cluster, however many another has', () => {
    const lost = snapshotAt(now - 400 * day, '9a3f');
    const all = [lost, ...Array.from({ length: 9 }, (_, hours) => snapshotAt(now - hours * 3_600_000))];
    expect(planRetention(all, now, { keep: 1, days: 1 }).keep).toContain(lost);
  });

  it('keeps at least one', () => {
    expect(planRetention([snapshotAt(0)], now, { keep: 0, days: 0 }).remove).toEqual([]);
  });
});

describe('an object that Drover did not store', () => {
  const forged = (more: Partial<Snapshot>): Snapshot => {
    const object = { ...snapshotAt(now), ...more };
    const key = snapshotKey(prefix, object);
    const [found] = snapshotsAmong(prefix, [{ key, bytes: object.bytes, storedAt: object.storedAt }]);
    if (!found) throw new Error(`${key} is not listed`);
    return found;
  };

  it.each<[string, Partial<Snapshot>]>([
    ['has a name ahead of the time at which S3 took it', { takenAt: now + 300_001 }],
    ['is dated 2999', { takenAt: Date.UTC(2999, 0) }],
    ['has the name of another day', { takenAt: now - 3_600_001 }],
    ['is smaller than any database', { bytes: 32 }],
    ['has no hash of etcd at its end', { bytes: bytes + 1 }],
  ])('is in doubt if it %s', (_, more) => {
    expect(forged(more).doubt).toEqual(expect.any(String));
    expect(isFresh([forged(more)], now, 3600)).toBe(false);
  });

  it.each<[string, Partial<Snapshot>]>([
    ['clocks differ by five minutes', { takenAt: now + 300_000 }],
    ['the upload took an hour', { takenAt: now - 3_600_000 }],
  ])('is not assumed if %s', (_, more) => {
    expect(forged(more).doubt).toBeUndefined();
  });

  it('replaces no snapshot, whatever its name', () => {
    const policy = { keep: 3, days: 5 };
    const minutes = fc.integer({ min: 61, max: 40 * 1440 }).map((count) => count * 60_000);
    const names = fc.oneof(
      minutes.map((gap) => forged({ takenAt: now - gap })),
      minutes.map((gap) => forged({ takenAt: now + gap })),
    );
    fc.assert(
      fc.property(snapshots, fc.array(names, { minLength: 1, maxLength: 50 }), (all, forgeries) => {
        const { keep, remove } = planRetention([...forgeries, ...all], now, policy);
        expect(remove).toEqual(planRetention(all, now, policy).remove);
        expect(keep).toEqual(expect.arrayContaining(forgeries));
      }),
    );
  });

  it('has the age by the time of S3, even if clocks would allow the later time in its name', () => {
    const minute = 60_000;
    const stored = snapshotAt(now - 7 * minute);
    const flood = [0, 1, 2].map((count) =>
      forged({ takenAt: now - 5 * minute - count, storedAt: now - 10 * minute - count }),
    );
    expect(flood.every(({ doubt }) => doubt === undefined)).toBe(true);
    expect(planRetention([...flood, stored], now, { keep: 1, days: 0 }).keep).toEqual([stored]);
  });

  it('never replaces snapshots of earlier days, even if its name and size are right', () => {
    const days = Array.from({ length: 5 }, (_, count) => snapshotAt(now - (count + 1) * day));
    const flood = Array.from({ length: 50 }, (_, count) =>
      forged({ takenAt: now - count, storedAt: now - count }),
    );
    expect(flood.every(({ doubt }) => doubt === undefined)).toBe(true);
    const { remove } = planRetention([...flood, ...days], now, { keep: 48, days: 30 });
    expect(remove.every(({ takenAt }) => takenAt > now - day)).toBe(true);
  });
});

describe('a fresh snapshot', () => {
  it.each([
    [[], false],
    [[now - 3_600_000], true],
    [[now - 3_600_001], false],
    [[now - 9_000_000, now - 60_000], true],
    [[now + 300_000], true],
    [[now + 300_001], false],
  ])('is among those of %j: %s', (times, expected) => {
    const all = times.map((takenAt) => snapshotAt(takenAt));
    expect(isFresh(all, now, 3600)).toBe(expected);
  });
});

const hour = 3_600_000;
const snapshot = (hoursAgo: number, revision?: string, changes: Partial<Snapshot> = {}): Snapshot => {
  const name = { clusterId: '9a3f', takenAt: now - hoursAgo * hour, revision };
  return { ...name, key: snapshotKey('p', name), bytes: 20_512, storedAt: name.takenAt, ...changes };
};
const hoursOf = (all: readonly Snapshot[]) => all.map(({ takenAt }) => (now - takenAt) / hour);

describe('the newest snapshot to restore', () => {
  it('is the newest, while revisions grow or stay', () => {
    const all = [snapshot(0, '12'), snapshot(1, '12'), snapshot(2, '9')];
    expect(restorableAmong(all)).toEqual(all);
  });

  it('is older than every one whose revision has fallen, until they pass the highest before', () => {
    const all = [snapshot(0, '900'), snapshot(1, '5'), snapshot(2, '18446744073709551615'), snapshot(3, '7')];
    expect(hoursOf(restorableAmong(all))).toEqual([2, 3]);
    expect(hoursOf(restorableAmong([snapshot(0, '8'), snapshot(1, '5'), snapshot(2, '7')]))).toEqual([0, 2]);
  });

  it('has no revision in doubt before it, and counts one without a revision', () => {
    const forged = snapshot(2, '999', { doubt: 'no snapshot of etcd has this size' });
    expect(hoursOf(restorableAmong([snapshot(0), snapshot(1, '5'), forged]))).toEqual([0, 1]);
  });

  it('is compared only with its own cluster', () => {
    const other = snapshot(1, '999', { clusterId: 'bad' });
    expect(hoursOf(restorableAmong([snapshot(0, '5'), other]))).toEqual([0, 1]);
  });

  it('is kept, however many later ones have a lower revision', () => {
    const all = [...Array.from({ length: 60 }, (_, hours) => snapshot(hours, '5')), snapshot(900, '1042')];
    const { keep } = planRetention(all, now, { keep: 2, days: 1 });
    expect(hoursOf(keep)).toEqual([0, 1, 900]);
  });
});
