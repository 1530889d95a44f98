import { contract } from '../../../truth/contract.ts';
import { operatorCases } from './operator-cases.ts';
import { sandboxPatterns } from './sandbox-patterns.ts';
import { structureCases } from './structure-cases.ts';

contract({
  area: 'EventBridge patterns',
  world: 'sandbox',
  cases: { ...structureCases, ...operatorCases },
  open: () => sandboxPatterns,
});
