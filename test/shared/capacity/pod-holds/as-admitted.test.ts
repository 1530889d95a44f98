import { describe, expect, it } from 'vitest';
import { occupied } from '../plan/fixtures.ts';
import { headroom, web } from './fixtures.ts';
import { arrived, node, nodesFor, plan } from './situation.ts';

const large = (count: number) => arrived(count, 'web', '1');

// kubernetes/autoscaler#9265: a buffer was made from the template of its pods, and admission made them larger (LimitRange, webhooks). The same with
// the sidecar of Istio in istio#23703, and with a VerticalPodAutoscaler.
describe('the open pods of a hold, when those that run are larger than its template', () => {
  it('are as large as these, because admission makes the next ones alike (autoscaler#9265)', () => {
    // Four of them fill a node of 4 CPUs: ten nodes in all instead of five.
    expect(plan({ nodes: [node('n', { pods: large(4) })] })).toMatchObject({
      nodes: 10,
      holds: { sale: { open: 36, placed: 0 } },
    });
  });

  it('are as large as the smallest of these: a pod that was resized in place is not the rule', () => {
    const pods = [...large(1), ...arrived(4)];
    expect(nodesFor({ nodes: [node('n', { pods })] })).toBe(6);
  });

  it('are no smaller than the template, which a rollout brings', () => {
    expect(nodesFor({ nodes: [node('n', { pods: arrived(8, 'web', '100m') })] })).toBe(5);
  });

  it('take no example of pods that terminate, or that belong to others', () => {
    const leaving = large(1).map((pod) => ({ ...pod, isTerminating: true }));
    const other = occupied('other', { pods: [...leaving, ...arrived(1, 'db', '2')] });
    expect(nodesFor({ nodes: [other] })).toBe(5);
  });

  it('are as the template says with headroom, which selects no pods', () => {
    const elsewhere = occupied('other', { autoScalingGroupName: 'others', pods: large(4) });
    expect(nodesFor({ nodes: [elsewhere], holds: [{ pods: headroom() }] })).toBe(5);
  });

  it('of two holds for the same pods are larger in both', () => {
    const holds = [{ name: 'one' }, { name: 'two', pods: web({ total: 8 }) }];
    expect(plan({ nodes: [node('n', { pods: large(4) })], holds })).toMatchObject({
      nodes: 10,
      holds: { one: { open: 36 }, two: { open: 4 } },
    });
  });
});
