import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { openSandboxWorld } from '../worlds/sandbox/world.ts';
import { rightsCases } from './cases.ts';

contract({
  area: 'Rights in the cluster',
  world: 'sandbox',
  cases: rightsCases,
  open: () => (manifests) => openSandboxWorld({ editRbac: () => manifests }),
});
