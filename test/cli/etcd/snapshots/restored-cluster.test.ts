import { describe, expect, it } from 'vitest';
import { restoredClusterId } from '../../../../cli/etcd/snapshots/restored-cluster.ts';

describe('the id of a cluster of one member', () => {
  it('equals the id that etcd 3.6.16 and 3.4.23 computed', () => {
    const id = restoredClusterId({ peerUrl: 'https://localhost:12380', token: 'etcd-cluster' });
    expect(BigInt(`0x${id}`)).toBe(4_482_902_897_251_419_769n);
  });

  it('differs with every token', () => {
    const peerUrl = 'https://i-0123456789abcdef0.etcd.example.internal:2380';
    const ids = ['a', 'b', 'c'].map((token) => restoredClusterId({ peerUrl, token }));
    expect(new Set(ids).size).toBe(3);
  });
});
