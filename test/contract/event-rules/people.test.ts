import { sandboxPatterns } from '@drover/cloud-sandbox/test/contract/event-patterns/sandbox-patterns.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { peopleCases } from './people-cases.ts';

contract({
  area: 'Event rules for people',
  world: 'sandbox',
  cases: peopleCases,
  open: () => sandboxPatterns,
});
