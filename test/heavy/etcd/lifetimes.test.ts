import { expect, it } from 'vitest';
import { liveEtcd } from '../../support/etcd/lifetime.ts';

const first = Number(process.env['ETCD_LIFETIMES_FIRST'] ?? 1);
const count = Number(process.env['ETCD_LIFETIMES_COUNT'] ?? 60);

it(`${count} lives of a control plane, from seed ${first}, break no rule and end whole`, {
  timeout: 900_000,
}, async () => {
  const failures: string[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      await liveEtcd(seed);
    } catch (error) {
      failures.push(`seed ${seed}: ${String(error)}`);
    }
  }
  expect(failures).toEqual([]);
});
