import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { openSandboxWorld } from '../worlds/sandbox/world.ts';
import { scenarioCases } from './cases.ts';
import { outageCases } from './outages.ts';

contract({
  area: 'Scenarios',
  world: 'sandbox',
  cases: { ...scenarioCases, ...outageCases },
  open: openSandboxWorld,
});
