import { testNamespace } from './eviction/namespace.ts';
import { sandboxApi } from './eviction/sandbox-api.ts';
import { evictionCases } from './eviction-cases.ts';
import { contract } from './support/contract.ts';

contract({
  area: 'Eviction',
  world: 'sandbox',
  cases: evictionCases,
  open: () => testNamespace(sandboxApi(), 'shop'),
});
