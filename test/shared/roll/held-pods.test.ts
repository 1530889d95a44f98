import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { describe, expect, test } from 'vitest';
import { firstFree } from '../../../shared/roll/held-pods.ts';
import { budget, controller, pod } from '../../support/pods.ts';
import { instance, nodeOf, oldMember } from './fixture.ts';

const now = Date.parse('2026-11-29T08:00:00Z');

/** A candidate for each of these numbers. Its node has the name `node-` and its instance. */
const candidatesOf = (numbers: readonly number[], notReady: readonly number[] = []) =>
  numbers.map((number) => {
    const isNotReady = notReady.includes(number);
    const node = nodeOf(instance(number), isNotReady ? { status: { conditions: [] } } : {});
    return { member: oldMember(number, { node }), node };
  });

const podOn = (number: number, parts: Parameters<typeof pod>[0] = {}): Pod =>
  pod({ ...parts, spec: { nodeName: `node-${instance(number)}` } });

interface Facts {
  readonly pods: readonly Pod[];
  readonly budgets?: readonly PodDisruptionBudget[];
  readonly at?: number;
}

/** The number of the node that is free, and what holds the others. */
async function freeOf(
  candidates: ReturnType<typeof candidatesOf>,
  { pods, budgets = [budget()], at = now }: Facts,
) {
  const listed: string[] = [];
  const { free, held } = await firstFree(candidates, {
    pods,
    listBudgets: (namespace) => {
      listed.push(namespace);
      return Promise.resolve(budgets.filter(({ metadata }) => metadata?.namespace === namespace));
    },
    now: at,
    annotationsEndAt: now + 3_600_000,
  });
  return { free: free && Number(free.member.instanceId.slice(2)), held, listed };
}

const shortNames = (held: readonly string[]): readonly string[] =>
  held.map((text) => text.replace(/^node-i-0*/, ''));

const withController = (pod: Pod): Pod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true },
    ],
  },
});

describe('the next node of a roll', () => {
  test('is the first with no pod that a budget holds, and the others are named with theirs', async () => {
    const pods = [podOn(1, { name: 'free', namespace: 'jobs' }), podOn(1), podOn(1, { name: 'web-2' })];
    const { free, held } = await freeOf(candidatesOf([1, 2]), { pods });
    expect(free).toBe(2);
    expect(shortNames(held)).toEqual(['1: budget web holds shop/web-1']);
    const status = { disruptionsAllowed: 1, expectedPods: 2 };
    expect(await freeOf(candidatesOf([1, 2]), { pods, budgets: [budget({ status })] })).toMatchObject({
      free: 1,
    });
  });

  test('is not held by the budget of a pod that a rollout replaces before its eviction', async () => {
    const pods = [podOn(1, { annotations: { 'drover.dev/restart-before-eviction': 'true' } })];
    expect(await freeOf(candidatesOf([1]), { pods })).toMatchObject({ free: 1 });
    expect(await freeOf(candidatesOf([1]), { pods: [...pods, podOn(2, { name: 'web-2' })] })).toMatchObject({
      free: undefined,
    });
  });

  test('is held also if a pod that nothing holds comes after the one that is held', async () => {
    const pods = [podOn(1), podOn(1, { name: 'free', namespace: 'jobs' })];
    const { free, held } = await freeOf(candidatesOf([1]), { pods });
    expect(free).toBeUndefined();
    expect(held).toHaveLength(1);
  });

  test('may have pods of a DaemonSet, and pods that have finished or terminate, whatever their budgets', async () => {
    const pods = [
      podOn(1, { owner: controller('DaemonSet', 'logs') }),
      podOn(1, { phase: 'Succeeded' }),
      podOn(1, { terminatesAt: now + 1 }),
    ];
    expect(await freeOf(candidatesOf([1]), { pods })).toMatchObject({ free: 1 });
  });

  test('may have held pods if it is not Ready, because they serve nothing', async () => {
    const pods = [podOn(1), podOn(2)];
    const { free } = await freeOf(candidatesOf([1, 2], [2]), { pods });
    expect(free).toBe(2);
  });

  test('waits for a pod that asks not to be disrupted until the time for annotations is over', async () => {
    const pods = [podOn(1, { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })];
    const before = await freeOf(candidatesOf([1]), { pods, budgets: [], at: now + 3_599_999 });
    expect(before.free).toBeUndefined();
    expect(shortNames(before.held)).toEqual([
      '1: held by annotation of shop/web-1 until 2026-11-29T09:00:00.000Z',
    ]);
    const after = await freeOf(candidatesOf([1]), { pods, budgets: [], at: now + 3_600_000 });
    expect(after.free).toBe(1);
  });

  test('is one with pods that cannot move only after the others, if these are left to the end', async () => {
    const { ownerReferences: _, ...metadata } = podOn(1).metadata ?? {};
    const pods = [{ ...podOn(1), metadata }, withController(podOn(2, { name: 'web-2' }))];
    const { free } = await firstFree(candidatesOf([1, 2]), {
      pods,
      listBudgets: () => Promise.resolve([]),
      now,
      annotationsEndAt: now,
      blockedLast: { tags: {}, annotationTimeoutSeconds: 0 },
    });
    expect(free?.member.instanceId).toBe(candidatesOf([2])[0]?.member.instanceId);
  });

  test('costs one list of budgets for each namespace, however many nodes are held', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const pods = numbers.flatMap((number) => [podOn(number), podOn(number, { name: 'web-2' })]);
    expect(await freeOf(candidatesOf(numbers), { pods })).toMatchObject({ listed: ['shop'] });
  });

  test('is found within some passes behind a hundred held ones, although a pass looks at thirty', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    const pods = numbers.filter((number) => number !== 77).map((number) => podOn(number));
    const found: (number | undefined)[] = [];
    for (let minute = 0; minute < 8; minute += 1) {
      const { free, held } = await freeOf(candidatesOf(numbers), { pods, at: now + minute * 60_000 });
      expect(held.length).toBeLessThanOrEqual(30);
      found.push(free);
    }
    expect(found).toContain(77);
    expect(found).toContain(undefined);
  });
});
