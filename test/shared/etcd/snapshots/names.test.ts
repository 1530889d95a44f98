import { describe, expect, it } from 'vitest';
import { snapshotKey, snapshotsAmong } from '../../../../shared/etcd/snapshots/names.ts';

const takenAt = Date.UTC(2026, 10, 21, 12);

describe('the snapshots of a bucket', () => {
  it('come newest first and in a stable order, however they are listed', () => {
    const names = [
      { clusterId: '1', takenAt },
      { clusterId: '2', takenAt },
      { clusterId: '1', takenAt: takenAt + 1 },
    ];
    const keys = names.map((name) => snapshotKey('drover/prod', name));
    const orderOf = (listed: readonly string[]) =>
      snapshotsAmong(
        'drover/prod',
        listed.map((key) => ({ key, bytes: 20_512, storedAt: takenAt })),
      ).map(({ key }) => keys.indexOf(key));
    expect(orderOf(keys)).toEqual([2, 0, 1]);
    expect(orderOf(keys.toReversed())).toEqual([2, 0, 1]);
  });

  it('leave out objects that are not snapshots of this prefix', () => {
    const strange = ['drover/test/1/2026-11-21T12:00:00.000Z.db', 'drover/prod/1/x.db', 'drover/prod/readme'];
    const objects = strange.map((key) => ({ key, bytes: 20_512, storedAt: takenAt }));
    expect(snapshotsAmong('drover/prod', objects)).toEqual([]);
  });
});
