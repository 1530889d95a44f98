import { contract } from '../../../../truth/contract.ts';
import { evictionCases } from './cases.ts';
import { testNamespace } from './namespace.ts';
import { sandboxApi } from './sandbox-api.ts';

contract({
  area: 'Eviction',
  world: 'sandbox',
  cases: evictionCases,
  open: () => testNamespace(sandboxApi(), 'shop'),
});
