import { openSandboxWorld } from '../worlds/sandbox/world.ts';
import { rightsCases } from './rights/cases.ts';
import { contract } from './support/contract.ts';

contract({
  area: 'Rights in the cluster',
  world: 'sandbox',
  cases: rightsCases,
  open: () => (manifests) => openSandboxWorld({ editRbac: () => manifests }),
});
