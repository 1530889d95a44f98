import { contract } from '../../../truth/contract.ts';
import { createRoute53Fixture } from '../../aws/support/route53-fixture.ts';
import { route53Cases } from './cases.ts';

contract({
  area: 'Route 53',
  world: 'sandbox',
  cases: route53Cases,
  open: () => {
    const { clock, client, connection } = createRoute53Fixture();
    return { client, connection, pass: async (seconds) => clock.advance(seconds) };
  },
});
