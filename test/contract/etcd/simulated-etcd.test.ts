import { describe, test } from 'vitest';
import { etcdCases } from './cases.ts';
import { createSimulatedEtcdWorld } from './simulated-world.ts';

describe('the etcd of the sandbox', () => {
  test.each(Object.entries(etcdCases))('%s', async (_, run) => {
    await run(await createSimulatedEtcdWorld());
  });
});
