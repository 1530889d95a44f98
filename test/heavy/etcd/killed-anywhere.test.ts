import { expect, it } from 'vitest';
import { liveWith, type StrikeKind } from '../../support/etcd/struck-life.ts';

const all: readonly StrikeKind[] = ['fail-before', 'fail-after', 'kill-after'];
const kinds = all.filter((kind) => kind === (process.env['ETCD_STRIKE'] ?? kind));

it.each(kinds)(
  'one cluster is born and keeps its quorum when any call of etcd-membership meets %s',
  { timeout: 900_000 },
  async (kind) => {
    let nth = 1;
    while (await liveWith(nth, kind)) nth += 1;
    expect(nth).toBeGreaterThan(60);
  },
);
