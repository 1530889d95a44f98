import { expect, it } from 'vitest';
import { clusterIdOf, hexadecimal, memberIdOf } from '../../src/etcd/ids.ts';

it('member ids equal those of etcd 3.6.16 for the same peer URLs', () => {
  const ids = [11, 12, 13].map((host) => memberIdOf([`https://127.63.1.${host}:2380`], 'etcd-cluster'));
  expect(ids).toEqual(['15256841400251620489', '5562791122400913080', '17036514123788169421']);
  expect(hexadecimal(clusterIdOf(ids))).toBe('a474e1cc6c3e118c');
});
