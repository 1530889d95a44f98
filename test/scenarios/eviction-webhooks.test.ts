import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { deployment as cliDeployment } from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { create, deployment, podsOn } from '../../local/world/workloads.ts';
import { createCliWorld } from '../cli/support.ts';
import { eventsOn, markOf, nodeNameOf, untilGone } from '../support/observed-instance.ts';

const message =
  'admission webhook "launcher-eviction-interceptor.example.com" denied the request: the eviction starts a migration';

/** As an API server answers for a webhook that denies a request. */
const statusOf = (code: number): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message });

const denied = (status: number): Strike => ({
  kind: 'http-answer',
  status,
  headers: { 'content-type': 'application/json' },
  body: statusOf(status),
});

async function leaveWith(strikeOf: (call: CallInFlight) => Strike | undefined) {
  const strike = (call: CallInFlight) => (call.caller === 'node-leaving' ? strikeOf(call) : undefined);
  const world = createDroverWorld({ weather: { strike } });
  const tags = { 'drover.dev/drain-timeout': '20m' };
  const [leaving = ''] = await withWorkers(world, { size: 1, tags });
  for (const one of [1, 2, 3, 4, 5, 6])
    await create(
      world,
      deployment({ name: `vm-${one}`, replicas: 1 }),
      deployment({ name: `web-${one}`, replicas: 1 }),
    );
  for (const one of [7, 8, 9]) await create(world, deployment({ name: `web-${one}`, replicas: 1 }));
  await world.timeline.pass(60);
  await withWorkers(world, { size: 3, autoScalingGroupName: 'others' });
  terminate(world, leaving, { replace: false });
  const node = nodeNameOf(world, leaving);
  const left = (name: string) =>
    podsOn(world, node).filter(({ metadata }) => metadata?.labels?.app?.startsWith(name)).length;
  return { world, leaving, node, left };
}

/**
 * Users of kubevirt/kubevirt#4012 (a webhook answers 429) and strimzi/drain-cleaner#58 (it hangs) found nodes of which no pod left: one
 * answer was taken for the server's.
 */
describe.each<[string, Strike]>([
  ['denies with 403', denied(403)],
  ['denies with 500', denied(500)],
  ['denies with 429', denied(429)],
  ['hangs', { kind: 'hang-before' }],
])('a webhook that %s for the evictions of six workloads', (_, answer) => {
  it('holds their pods only, and the node names them', async () => {
    const { world, leaving, node, left } = await leaveWith(({ what }) =>
      /pods\/vm-[^/]*\/eviction/.test(what) ? answer : undefined,
    );
    await world.timeline.pass(10 * 60);
    expect({ web: left('web'), vm: left('vm') }).toEqual({ web: 0, vm: 6 });
    expect(markOf(world, leaving)?.waitingFor.join()).toMatch(
      answer.kind === 'http-answer' ? /webhook/ : /vm-/,
    );
    expect(eventsOn(world, node)).toContain('DrainHeld');
  });

  it('does not hold the node past its deadline', async () => {
    const { world, leaving } = await leaveWith(({ what }) =>
      /pods\/vm-[^/]*\/eviction/.test(what) ? answer : undefined,
    );
    await untilGone(world, leaving, 22 * 60);
  });
});

it('deletions that hang at the deadline do not keep other pods from their grace', async () => {
  const held = denied(429);
  const { world, left } = await leaveWith(({ what }) => {
    if (what.includes('/eviction')) return held;
    return /DELETE .*\/pods\/vm-[^/]*$/.test(what) ? { kind: 'hang-before' } : undefined;
  });
  await world.timeline.pass(20 * 60 + 55);
  expect(left('web')).toBe(0);
});

it.each([500, 429])('drover drain evicts the other pods if a webhook answers %i', async (status) => {
  const world: ReturnType<typeof createCliWorld> = createCliWorld({
    context: {
      sendHttp: async (request) =>
        request.method === 'POST' && /pods\/vm-[^/]*\/eviction/.test(request.url)
          ? { status, headers: {}, body: statusOf(status) }
          : await world.kubernetes.sendHttp(request),
    },
  });
  const path = '/apis/apps/v1/namespaces/default/deployments';
  for (const one of [1, 2, 3, 4, 5]) {
    await world.create(path, cliDeployment(`vm-${one}`, 2));
    await world.create(path, cliDeployment(`web-${one}`, 2));
  }
  await world.run('drain', 'node-1', '--timeout=90s');
  expect((await world.podsOn('node-1')).filter((name) => name.startsWith('web'))).toEqual([]);
});

it('drover drain evicts the other pods if the evictions of six workloads hang, and names a pod that is left', async () => {
  const world: ReturnType<typeof createCliWorld> = createCliWorld({
    context: {
      sendHttp: async (request) => {
        if (request.method !== 'POST' || !/pods\/vm-[^/]*\/eviction/.test(request.url))
          return await world.kubernetes.sendHttp(request);
        world.seconds(8);
        throw new Error('no answer within 8000 ms');
      },
    },
  });
  const path = '/apis/apps/v1/namespaces/default/deployments';
  for (const one of [1, 2, 3, 4, 5, 6]) {
    await world.create(path, cliDeployment(`vm-${one}`, 2));
    await world.create(path, cliDeployment(`web-${one}`, 2));
  }
  const { code, err } = await world.run('drain', 'node-1');
  expect((await world.podsOn('node-1')).filter((name) => name.startsWith('web'))).toEqual([]);
  expect(code).toBe(1);
  expect(err).toMatch(/pods\/vm-[^/]*\/eviction: no answer/);
});
