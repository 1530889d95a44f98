import { describe, test } from 'vitest';
import { etcdCases } from './cases.ts';
import { restoreCases } from './restore-cases.ts';
import { createSimulatedEtcdWorld } from './simulated-world.ts';
import { srvCases } from './srv-cases.ts';

describe('the etcd of the sandbox', () => {
  test.each(Object.entries({ ...etcdCases, ...restoreCases }))('%s', async (_, run) => {
    await run(await createSimulatedEtcdWorld());
  });
});

describe('the etcd of the sandbox, by SRV records', () => {
  test.each(Object.entries(srvCases))('%s', async (_, run) => {
    await run(await createSimulatedEtcdWorld({ withNames: true }));
  });
});
