import { describe, test } from 'vitest';
import { chosenEtcd, type EtcdVersion, etcd34 } from '../../../real/etcd/binaries.ts';
import { etcdCases } from './cases.ts';
import { createRealEtcdWorld } from './real-world.ts';
import { restoreCases } from './restore-cases.ts';

/** Members that get too little of a busy machine lose sight of one another, and decide otherwise for that while. */
const retry = 1;

const claimOf = ({ version }: EtcdVersion) => ({
  area: 'etcd',
  world: `etcd ${version}`,
});

/** Built or fetched by `npm run real:etcd`; each case has members of its own, and most of its time is etcd's five seconds. */
describe.each([chosenEtcd, etcd34])('etcd $version', (etcd) => {
  for (const [sentence, run] of Object.entries({ ...etcdCases, ...(etcd === chosenEtcd && restoreCases) }))
    test.concurrent(sentence, { retry, meta: { claim: claimOf(etcd) } }, async (context) => {
      context.skip(!etcd.isInstalled, `etcd ${etcd.version} is not installed: npm run real:etcd`);
      const world = await createRealEtcdWorld({ etcd });
      try {
        await run(world);
      } finally {
        await world.close();
      }
    });
});
