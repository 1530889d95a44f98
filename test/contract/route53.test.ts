import { describe, test } from 'vitest';
import { createRoute53Fixture } from '../local/aws/support/route53-fixture.ts';
import { type Route53World, route53Cases } from './route53-cases.ts';

function simulated(): Route53World {
  const { clock, client, connection } = createRoute53Fixture();
  return { client, connection, pass: async (seconds) => clock.advance(seconds) };
}

describe('Route 53 of the sandbox', () => {
  test.each(Object.entries(route53Cases))('%s', (_, run) => run(simulated()));
});
