import { operatorCases } from './event-patterns/operator-cases.ts';
import { structureCases } from './event-patterns/structure-cases.ts';
import { contract } from './support/contract.ts';
import { sandboxPatterns } from './support/sandbox-patterns.ts';

contract({
  area: 'EventBridge patterns',
  world: 'sandbox',
  cases: { ...structureCases, ...operatorCases },
  open: () => sandboxPatterns,
});
