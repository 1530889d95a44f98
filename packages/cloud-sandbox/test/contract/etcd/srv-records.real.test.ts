import { describe, test } from 'vitest';
import { chosenEtcd, type EtcdVersion, etcd34 } from '../../../real/etcd/binaries.ts';
import { whyNoNameServer } from '../../../real/etcd/name-server.ts';
import { createRealEtcdWorld } from './real-world.ts';
import { srvCases } from './srv-cases.ts';

const obstacle = whyNoNameServer();

const claimOf = ({ version }: EtcdVersion) => ({
  area: 'etcd, by SRV records',
  world: `etcd ${version}`,
});

/** Real members whose resolver is the DNS server of the sandbox; each has a resolv.conf of its own, which needs root. */
describe.each([chosenEtcd, etcd34])('etcd $version by SRV records', (etcd) => {
  for (const [sentence, run] of Object.entries(srvCases))
    test.concurrent(sentence, { retry: 1, meta: { claim: claimOf(etcd) } }, async (context) => {
      context.skip(!etcd.isInstalled, `etcd ${etcd.version} is not installed: npm run real:etcd`);
      context.skip(obstacle !== undefined, obstacle);
      const world = await createRealEtcdWorld({ etcd, withNames: true });
      try {
        await run(world);
      } finally {
        await world.close();
      }
    });
});
