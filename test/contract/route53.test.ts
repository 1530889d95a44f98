import { createRoute53Fixture } from '../../packages/cloud-sandbox/test/aws/support/route53-fixture.ts';
import { route53Cases } from './route53-cases.ts';
import { contract } from './support/contract.ts';

contract({
  area: 'Route 53',
  world: 'sandbox',
  cases: route53Cases,
  open: () => {
    const { clock, client, connection } = createRoute53Fixture();
    return { client, connection, pass: async (seconds) => clock.advance(seconds) };
  },
});
