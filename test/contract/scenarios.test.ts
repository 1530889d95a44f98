import { openSandboxWorld } from '../worlds/sandbox/world.ts';
import { scenarioCases } from './scenarios/cases.ts';
import { contract } from './support/contract.ts';

contract({ area: 'Scenarios', world: 'sandbox', cases: scenarioCases, open: openSandboxWorld });
