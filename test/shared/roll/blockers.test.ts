import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { blockersOf, isMoved, lossOf, type MoveContext } from '../../../shared/roll/blockers.ts';
import { budget, controller, emptyDir, pod } from '../../support/pods.ts';

const now = Date.parse('2026-11-29T08:00:00Z');

const blockers = (
  one: Pod,
  { tags = {}, pods = [one], budgets = [] as readonly PodDisruptionBudget[] }: Partial<MoveContext> = {},
) => blockersOf(one, { now, tags, pods, budgets, annotationTimeoutSeconds: 86_400 });

describe('a pod of a controller moves', () => {
  it('if no budget selects it, or its budget lets one go', () => {
    expect(blockers(pod())).toEqual([]);
    const status = { expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 };
    expect(blockers(pod(), { budgets: [budget({ status })] })).toEqual([]);
  });

  it('with its emptyDir data lost, unless the tag of the group keeps that', () => {
    const one = pod({ spec: emptyDir() });
    expect(blockers(one)).toEqual([]);
    expect(lossOf(one, { tags: {} })).toBe('local data');
    expect(blockers(one, { tags: { 'drover.dev/delete-emptydir-data': 'false' } })).toEqual([
      expect.stringContaining('emptyDir'),
    ]);
  });
});

describe('a budget blocks a pod', () => {
  it('unless a rollout replaces it before its eviction, which needs all pods of its ReplicaSet on its node', () => {
    const one = pod({ annotations: { 'drover.dev/restart-before-eviction': 'true' } });
    const budgets = [budget({ status: { expectedPods: 1, desiredHealthy: 1, currentHealthy: 1 } })];
    expect(blockers(one, { budgets })).toEqual([]);
    const elsewhere = pod({ name: 'web-2', spec: { nodeName: 'node-2' } });
    expect(blockers(one, { budgets, pods: [one, elsewhere] })).toEqual([
      expect.stringContaining('budget shop/web'),
    ]);
  });

  it('if it allows no eviction even with all its pods Ready', () => {
    const status = { expectedPods: 3, desiredHealthy: 3, currentHealthy: 3 };
    expect(blockers(pod(), { budgets: [budget({ status })] })).toEqual([
      'budget shop/web allows no eviction even if all its pods (3) are Ready: let it allow one',
    ]);
  });

  it('if one of its pods crash-loops, which it names (cyclops#34)', () => {
    const sick = pod({ name: 'web-2', ready: false });
    const status = { expectedPods: 2, desiredHealthy: 1, currentHealthy: 1 };
    expect(blockers(pod(), { pods: [pod(), sick], budgets: [budget({ status })] })).toEqual([
      'budget shop/web allows no eviction now: 1 of 2 pods are Ready, and it keeps 1; not Ready: shop/web-2',
    ]);
  });

  it('if another budget selects it too, whatever they allow', () => {
    const status = { disruptionsAllowed: 1 };
    const budgets = [budget({ status }), budget({ name: 'all', status })];
    expect(blockers(pod(), { budgets })).toEqual([
      expect.stringMatching(/^several budgets select it \(all, web\)/),
    ]);
  });

  it('but not if it lets unhealthy pods go and the pod is not Ready', () => {
    const budgets = [budget({ unhealthyPodEvictionPolicy: 'AlwaysAllow' })];
    expect(blockers(pod({ ready: false }), { budgets })).toEqual([]);
  });
});

describe('a pod without a controller', () => {
  it('is blocked, because nothing recreates it', () =>
    expect(blockers(pod({ owner: null }))).toEqual([expect.stringMatching(/^no controller recreates it/)]));

  it('is lost if the tag of its group says so', () => {
    const tags = { 'drover.dev/force': 'true' };
    expect(blockers(pod({ owner: null }), { tags })).toEqual([]);
    expect(lossOf(pod({ owner: null }), { tags })).toBe('pod');
  });
});

describe('an annotation blocks a pod', () => {
  it('for as long as the roll honours it', () =>
    expect(
      blockers(pod({ annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } })),
    ).toEqual(['annotation cluster-autoscaler.kubernetes.io/safe-to-evict=false keeps it for up to 24h']));

  it('until its own end, if that is earlier', () => {
    const { status, ...rest } = pod({ annotations: { 'karpenter.sh/do-not-disrupt': '2h' } });
    const startTime = new Date(now - 3_600_000).toISOString();
    expect(blockers({ ...rest, status: { ...status, startTime } })).toEqual([
      'annotation karpenter.sh/do-not-disrupt=2h keeps it until 2026-11-29T09:00:00.000Z',
    ]);
  });
});

it('pods of DaemonSets, static, finished and terminating pods are not moved', () => {
  expect(isMoved(pod())).toBe(true);
  for (const one of [
    pod({ owner: controller('DaemonSet', 'agent') }),
    pod({ annotations: { 'kubernetes.io/config.mirror': '' } }),
    pod({ phase: 'Succeeded' }),
    pod({ terminatesAt: now }),
  ])
    expect(isMoved(one)).toBe(false);
});
