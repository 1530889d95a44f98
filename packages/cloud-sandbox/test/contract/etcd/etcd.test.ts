import { contract } from '../../../truth/contract.ts';
import { etcdCases } from './cases.ts';
import { restoreCases } from './restore-cases.ts';
import { createSimulatedEtcdWorld } from './simulated-world.ts';
import { srvCases } from './srv-cases.ts';

contract({
  area: 'etcd',
  world: 'sandbox',
  cases: { ...etcdCases, ...restoreCases },
  open: () => createSimulatedEtcdWorld(),
});

contract({
  area: 'etcd, by SRV records',
  world: 'sandbox',
  cases: srvCases,
  open: () => createSimulatedEtcdWorld({ withNames: true }),
});
