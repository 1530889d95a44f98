import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { openSandboxWorld } from '../worlds/sandbox/world.ts';
import { leavingCases } from './cases.ts';
import { outageCases } from './outages.ts';

contract({
  area: 'Leaving nodes',
  world: 'sandbox',
  cases: { ...leavingCases, ...outageCases },
  open: () => openSandboxWorld(),
});
