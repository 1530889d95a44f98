import { type CallInFlight, isWrite, type Strike } from '@drover/cloud-sandbox';
import {
  attributesOfCall,
  deniedByWebhook,
  forbiddenByRbac,
  webhookUnreachable,
} from '@drover/cloud-sandbox/kubernetes';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { heldDeployment, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf, passesOf, untilSaid } from '../support/observed-instance.ts';

const drainSeconds = 120;

/** A worker of three leaves while its pods are held by a budget, so that they are deleted at the deadline. */
async function leaveDuring(strike: (call: CallInFlight) => Strike | undefined) {
  const world = createDroverWorld({
    weather: {
      strike: (call) =>
        call.caller === 'node-leaving' && call.to === 'kubernetes' ? strike(call) : undefined,
    },
  });
  const [leaving = ''] = await withWorkers(world, {
    size: 3,
    tags: { 'drover.dev/drain-timeout': `${drainSeconds}s` },
  });
  await run(world, ...heldDeployment({ name: 'web', replicas: 6 }));
  const node = nodeNameOf(world, leaving);
  expect(podsOn(world, node).length).toBeGreaterThan(0);
  terminate(world, leaving, { replace: false });
  return { world, leaving, node };
}

const refusals = [
  ['RBAC', (call: CallInFlight) => forbiddenByRbac({ what: call.what, username: 'drover' })],
  ['an admission webhook', () => deniedByWebhook({ webhook: 'policy.example', why: 'not on a Friday' })],
  [
    'an admission webhook that is away',
    () => webhookUnreachable({ webhook: 'policy.example', why: 'no route to host' }),
  ],
] as const;

const writes = [
  ['evictions', 'create', 'pods/eviction'],
  ['deletions of pods', 'delete', 'pods'],
  ['patches of Nodes', 'patch', 'nodes'],
  ['deletions of Nodes', 'delete', 'nodes'],
] as const;

describe.each(refusals)('where %s denies', (_, refusalOf) => {
  it.each(writes)('%s, the drain ends by its deadline', async (_name, verb, resource) => {
    const { world, leaving } = await leaveDuring((call) => {
      const asked = attributesOfCall(call.what);
      if (!('resource' in asked) || asked.verb !== verb) return undefined;
      const name = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource;
      return name === resource ? refusalOf(call) : undefined;
    });
    await untilSaid(world, leaving, /its hook is completed/, drainSeconds + 90);
    const reasons = passesOf(world, leaving).map(({ reason }) => String(reason));
    expect(reasons.join()).toMatch(/User "drover" cannot|denied the request|failed calling webhook/);
    expect(reasons.join()).not.toMatch(/the pass failed/);
    expect(world.problems).toEqual([]);
  });
});

it('writes that hang while reads are answered cost no wait, and the drain ends soon after its deadline', async () => {
  const { world, leaving } = await leaveDuring((call) =>
    isWrite(call) ? { kind: 'hang-before' } : undefined,
  );
  await untilSaid(world, leaving, /its hook is completed/, drainSeconds + 180);
  expect(world.problems).toEqual([]);
});
