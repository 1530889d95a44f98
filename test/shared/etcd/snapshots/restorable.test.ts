import { describe, expect, it } from 'vitest';
import { type Snapshot, snapshotKey } from '../../../../shared/etcd/snapshots/names.ts';
import { restorableAmong } from '../../../../shared/etcd/snapshots/restorable.ts';
import { planRetention } from '../../../../shared/etcd/snapshots/retention.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 21, 12);
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

  it('is compared with its own cluster alone', () => {
    const other = snapshot(1, '999', { clusterId: 'bad' });
    expect(hoursOf(restorableAmong([snapshot(0, '5'), other]))).toEqual([0, 1]);
  });

  it('is kept, however many later ones have a lower revision', () => {
    const all = [...Array.from({ length: 60 }, (_, hours) => snapshot(hours, '5')), snapshot(900, '1042')];
    const { keep } = planRetention(all, now, { keep: 2, days: 1 });
    expect(hoursOf(keep)).toEqual([0, 1, 900]);
  });
});
