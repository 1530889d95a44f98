import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import {
  expectBadRequest,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectRefusal,
  unsupported,
} from '../expectations.ts';
import { inGroup, made, nameOf, pod } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

/** A Ready pod on a node without a kubelet, with functions that evict it and write budgets. */
async function start(world: KubernetesWorld, { isReady = true } = {}) {
  const namespace = await world.namespace();
  const pods = `${namespace}/pods`;
  const labelled = { metadata: { labels: { app: 'a' } }, spec: { nodeName: 'nowhere' } };
  await made(world, pods, pod('a', labelled));
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  await world.patch(`${pods}/a/status`, 'merge', { status: { phase: 'Running', conditions } });
  const budgets = `${inGroup(namespace, 'policy/v1')}/poddisruptionbudgets`;
  const evict = (more: object = {}, query = '', name = 'a') =>
    world.post(`${pods}/${name}/eviction${query}`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: nameOf(namespace) },
      ...more,
    });
  return {
    path: `${pods}/a`,
    evict,
    /** A budget that the controller has seen. */
    budget: async (name: string, spec: object) => {
      await made(world, budgets, {
        metadata: { name },
        spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
      });
      const seen = async () => (await world.get(`${budgets}/${name}`)).body.status?.observedGeneration;
      await expect.poll(seen).toBe(1);
    },
  };
}

function expectEvicted({ status, body }: Answer): void {
  expect([status, body]).toEqual([
    201,
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  ]);
}

const held = (message: string) => ({
  code: 429,
  reason: 'TooManyRequests',
  message: "Cannot evict pod as it would violate the pod's disruption budget.",
  details: { causes: [{ reason: 'DisruptionBudget', message }] },
});

/** The eviction subresource in all its answers. */
export const evictionCases: Cases<KubernetesWorld> = {
  'a pod without a budget is evicted with the requested grace period and a condition': async (world) => {
    const { path, evict } = await start(world);
    expectEvicted(await evict({ deleteOptions: { gracePeriodSeconds: 7 } }));
    const { metadata, status } = (await world.get(path)).body;
    expect(metadata.deletionGracePeriodSeconds).toBe(7);
    expect(status.conditions).toContainEqual(
      expect.objectContaining({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      }),
    );
  },

  'the eviction of a missing pod is not found': async (world) => {
    const { evict } = await start(world);
    expectNotFound(await evict({}, '', 'none'), 'pods', 'none');
  },

  'an eviction needs the name and the namespace of its pod': async (world) => {
    const { evict } = await start(world);
    const words = 'name in URL does not match name in Eviction object';
    for (const metadata of [{ name: 'other' }, {}]) expectBadRequest(await evict({ metadata }), words);
    expectBadRequest(
      await evict({ metadata: { name: 'a', namespace: 'other' } }),
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },

  'an eviction accepts both versions of the kind Eviction': async (world) => {
    const { evict } = await start(world);
    expectBadRequest(
      await evict({ apiVersion: 'v1', kind: 'Pod' }),
      'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
    );
    expectEvicted(await evict({ apiVersion: 'policy/v1beta1' }));
  },

  'an eviction with another UID or resourceVersion is a conflict': async (world) => {
    const { path, evict } = await start(world);
    const { uid, resourceVersion } = (await world.get(path)).body.metadata;
    expectConflict(
      await evict({ deleteOptions: { preconditions: { uid: 'other' } } }),
      'Pod',
      'a',
      `the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expectConflict(
      await evict({ deleteOptions: { preconditions: { resourceVersion: '1' } } }),
      'Pod',
      'a',
      `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  },

  'a dry run in the query or the body evicts nothing': async (world) => {
    const { path, evict } = await start(world);
    expectEvicted(await evict({}, '?dryRun=All'));
    expectEvicted(await evict({ deleteOptions: { dryRun: ['All'] } }));
    const { metadata, status } = (await world.get(path)).body;
    expect(metadata).not.toHaveProperty('deletionTimestamp');
    expect(status.conditions.map(({ type }: { type: string }) => type)).toEqual(['Ready']);
  },

  'an eviction with unknown options is refused': async (world) => {
    const { evict } = await start(world);
    const causes = [unsupported('dryRun', '["Some"]: supported values: "All"')];
    const group = 'meta.k8s.io';
    expectInvalid(await evict({}, '?dryRun=Some'), { kind: 'CreateOptions', group, causes });
    expectInvalid(await evict({ deleteOptions: { dryRun: ['Some'] } }), {
      kind: 'DeleteOptions',
      group,
      causes,
    });
  },

  'a terminating pod can be evicted again with a shorter grace period only': async (world) => {
    const { path, evict } = await start(world);
    const grace = async () => (await world.get(path)).body.metadata.deletionGracePeriodSeconds;
    const graces: number[] = [];
    for (const gracePeriodSeconds of [9, 3, 20]) {
      expectEvicted(await evict({ deleteOptions: { gracePeriodSeconds } }));
      graces.push(await grace());
    }
    expect(graces).toEqual([9, 3, 3]);
  },

  'a refusal of a budget has its numbers, and no Retry-After': async (world) => {
    const { evict, budget } = await start(world);
    await budget('full', { minAvailable: 1 });
    const refusal = held('The disruption budget full needs 1 healthy pods and has 1 currently');
    for (const query of ['', '?dryRun=All']) {
      const answer = await evict({}, query);
      expectRefusal(answer, refusal);
      expect(answer.headers['retry-after']).toBeUndefined();
    }
    expectRefusal(await evict({ deleteOptions: { preconditions: { uid: 'other' } } }), refusal);
  },

  'a refusal of an unobserved budget has a Retry-After': async (world) => {
    const { path, evict, budget } = await start(world);
    await budget('stale', { minAvailable: 1 });
    const at = path.replace(/\/pods\/a$/, '').replace('/api/v1', '/apis/policy/v1');
    let answer = await evict({}, '?dryRun=All');
    // A controller acts immediately: a test that has to be faster tries more than once.
    for (let least = 2; answer.headers['retry-after'] === undefined && least < 50; least += 1) {
      await world.patch(`${at}/poddisruptionbudgets/stale`, 'merge', { spec: { minAvailable: least } });
      answer = await evict({}, '?dryRun=All');
    }
    const { details, ...rest } = held('The disruption budget stale is still being processed by the server.');
    expectRefusal(answer, { ...rest, details: { ...details, retryAfterSeconds: 10 } });
    expect(answer.headers['retry-after']).toBe('10');
  },

  'a budget with one allowed disruption allows one eviction': async (world) => {
    const { evict, budget } = await start(world);
    await budget('none', { minAvailable: 0 });
    expectEvicted(await evict());
  },

  'the eviction of a pod with two budgets is always an internal error': async (world) => {
    const { evict, budget } = await start(world);
    await budget('one', { minAvailable: 0 });
    await budget('two', { minAvailable: 0 });
    expectRefusal(await evict(), {
      code: 500,
      message:
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  },

  'a budget with an empty selector selects every pod, and one without a selector none': async (world) => {
    const one = await start(world);
    await one.budget('none', { selector: undefined, minAvailable: '100%' });
    expectEvicted(await one.evict());
    const other = await start(world);
    await other.budget('all', { selector: {}, minAvailable: 1 });
    expect((await other.evict()).status).toBe(429);
  },

  'a pod that is not Ready is held by an unsatisfied budget, unless its policy allows it': async (world) => {
    const one = await start(world, { isReady: false });
    await one.budget('unmet', { minAvailable: 1 });
    expectRefusal(
      await one.evict(),
      held('The disruption budget unmet needs 1 healthy pods and has 0 currently'),
    );
    const other = await start(world, { isReady: false });
    await other.budget('lenient', { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    expectEvicted(await other.evict());
  },

  'a pod that is Pending or has finished is held by no budget': async (world) => {
    const { path, evict, budget } = await start(world);
    await budget('full', { minAvailable: 1 });
    for (const phase of ['Pending', 'Succeeded', 'Failed']) {
      await world.patch(`${path}/status`, 'merge', { status: { phase } });
      expectEvicted(await evict({}, '?dryRun=All'));
    }
  },
};
