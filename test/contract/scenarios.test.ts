import { openSandboxWorld } from '../worlds/sandbox/world.ts';
import { scenarioCases } from './scenarios/cases.ts';
import { outageCases } from './scenarios/outages.ts';
import { contract } from './support/contract.ts';

contract({
  area: 'Scenarios',
  world: 'sandbox',
  cases: { ...scenarioCases, ...outageCases },
  open: openSandboxWorld,
});
