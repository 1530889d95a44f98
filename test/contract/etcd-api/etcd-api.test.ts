import { createSimulatedEtcdWorld } from '@drover/cloud-sandbox/test/contract/etcd/simulated-world.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { etcdApiCases } from './cases.ts';

contract({
  area: "Drover's etcd client",
  world: 'sandbox',
  cases: etcdApiCases,
  open: async () => {
    const members = await createSimulatedEtcdWorld();
    return { members, send: members.send, stream: members.stream };
  },
});
