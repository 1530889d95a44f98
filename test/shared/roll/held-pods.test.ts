import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { expect, test } from 'vitest';
import { firstFree, holderOf } from '../../../shared/roll/held-pods.ts';
import type { NodeOfMember } from '../../../shared/roll/step.ts';
import { instance, nodeOf, oldMember, startedAt } from './fixture.ts';

const pod = (app: string, nodeName: string, annotations: Readonly<Record<string, string>> = {}): Pod => ({
  metadata: { name: `${app}-1`, namespace: 'shop', uid: app, labels: { app }, annotations },
  spec: { nodeName, containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});

const budget = (app: string, disruptionsAllowed: number): PodDisruptionBudget => ({
  metadata: { name: app, namespace: 'shop', generation: 1 },
  spec: { selector: { matchLabels: { app } } },
  status: {
    disruptionsAllowed,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    observedGeneration: 1,
  },
});

const candidate = (number: number, isReady = true): NodeOfMember => {
  const node = isReady ? nodeOf(instance(number)) : nodeOf(instance(number), { status: { conditions: [] } });
  return { member: oldMember(number, { node }), node };
};
const nameOf = (number: number) => `node-${instance(number)}`;

const look = (candidates: readonly NodeOfMember[], pods: readonly Pod[], budgets: PodDisruptionBudget[]) => {
  const read: string[] = [];
  const listBudgets = async (namespace: string) => {
    read.push(namespace);
    return budgets;
  };
  const times = { now: startedAt, annotationsEndAt: startedAt + 3_600_000 };
  return firstFree(candidates, { pods, listBudgets, ...times }).then((found) => ({ ...found, read }));
};

test('a node whose pods a budget holds is left for the next one, and each namespace is read once', async () => {
  const pods = [pod('db', nameOf(1)), pod('web', nameOf(2)), pod('db', nameOf(3))];
  const budgets = [budget('db', 0), budget('web', 1)];
  const { free, held, read } = await look([candidate(1), candidate(2)], pods, budgets);
  expect(free?.member.instanceId).toBe(instance(2));
  expect(held).toEqual([`${nameOf(1)}: budget db holds shop/db-1`]);
  expect(read).toEqual(['shop']);
  const all = await look([candidate(1), candidate(3)], pods, budgets);
  expect(all.free).toBeUndefined();
  expect(all.held).toHaveLength(2);
});

test('nothing is asked about the pods of a node that is not Ready', async () => {
  const { free, read } = await look([candidate(1, false)], [pod('db', nameOf(1))], [budget('db', 0)]);
  expect(free?.member.instanceId).toBe(instance(1));
  expect(read).toEqual([]);
});

test('nodes with pods that cannot move come last, if they are skipped', async () => {
  const bare = pod('bare', nameOf(1));
  const owned = { ...pod('web', nameOf(2)) };
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true };
  const web = { ...owned, metadata: { ...owned.metadata, ownerReferences: [owner] } };
  const options = {
    pods: [bare, web],
    listBudgets: async () => [],
    now: startedAt,
    annotationsEndAt: startedAt,
  };
  const first = async (more: object) =>
    (await firstFree([candidate(1), candidate(2)], { ...options, ...more })).free?.member.instanceId;
  expect(await first({})).toBe(instance(1));
  expect(await first({ blockedLast: { tags: {}, annotationTimeoutSeconds: 0 } })).toBe(instance(2));
});

test('an annotation holds a pod until its time or that of the roll is over', () => {
  const asking = pod('import', nameOf(1), { 'karpenter.sh/do-not-disrupt': 'true' });
  const annotationsEndAt = startedAt + 3_600_000;
  expect(holderOf(asking, [], { now: startedAt, annotationsEndAt })).toBe(
    'held by annotation of shop/import-1 until 2026-11-29T09:00:00.000Z',
  );
  expect(holderOf(asking, [], { now: annotationsEndAt, annotationsEndAt })).toBeUndefined();
});

test('of many held nodes the best are looked at each time, and the others in turn', async () => {
  const candidates = Array.from({ length: 60 }, (_, index) => candidate(index + 1));
  const pods = candidates.map((_, index) => pod('db', nameOf(index + 1)));
  const { held } = await look(candidates, pods, [budget('db', 0)]);
  expect(held).toHaveLength(30);
  expect(held[0]).toContain(nameOf(1));
});
