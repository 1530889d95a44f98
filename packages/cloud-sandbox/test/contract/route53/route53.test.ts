import { contract } from '../../../truth/contract.ts';
import { createRoute53Fixture } from '../../aws/support/route53-fixture.ts';
import { route53Cases } from './cases.ts';

contract({
  area: 'Route 53',
  world: 'sandbox',
  cases: route53Cases,
  open: () => {
    const { clock, client } = createRoute53Fixture();
    return { client, pass: async (seconds) => clock.advance(seconds) };
  },
});
