import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { groupOf, occupied, planned, replicas } from './fixtures.ts';

describe('a node whose pods request more than it has', () => {
  // kubernetes#122602: a resize in place, or a DaemonSet that came later (karpenter-provider-aws#3374), takes the requests of a node over 100 %.
  const full = occupied('full', { pods: replicas(5, 'grown', { requests: { cpu: '1' } }) });

  it('gives no room, and takes none from others (kubernetes#122602)', () => {
    const nodes = [full, occupied('free')];
    const plan = planNodes({
      nodes,
      groups: [groupOf('workers')],
      pods: replicas(5, 'web', { requests: { cpu: '1' } }),
    });
    expect([plan.fitNow, plan.newNodes.get('workers')]).toEqual([4, 1]);
  });

  it('still takes a pod that requests nothing of what is short, as the scheduler does', () => {
    const plan = planNodes({ nodes: [full], groups: [groupOf('workers')], pods: [planned('idle')] });
    expect([plan.fitNow, plan.newNodes.get('workers')]).toEqual([1, 0]);
  });
});

describe('pods that spread over hosts, beside a node that they do not tolerate', () => {
  const nodes = [
    occupied('control-plane', { taints: [{ key: 'node-role', effect: 'NoSchedule' }] }),
    ...['a', 'b', 'c'].map((name) => occupied(name)),
  ];
  const spread = (more: Partial<TopologySpreadConstraint>) =>
    planNodes({
      nodes,
      groups: [groupOf('workers')],
      pods: replicas(7, 'web', {
        labels: { app: 'web' },
        spec: {
          topologySpreadConstraints: [
            {
              topologyKey: 'kubernetes.io/hostname',
              maxSkew: 1,
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { app: 'web' } },
              ...more,
            },
          ],
        },
      }),
    });

  // The tainted node stays at no pod, so that each other node may have one. People expect two and three.
  it('need a node each, because that node counts as the emptiest (kubernetes#116118, #107464)', () => {
    const plan = spread({});
    expect([plan.fitNow, plan.newNodes.get('workers')]).toEqual([3, 4]);
  });

  it('fit on the others if the constraint honors taints (kubernetes#106127)', () => {
    const plan = spread({ nodeTaintsPolicy: 'Honor' });
    expect([plan.fitNow, plan.newNodes.get('workers')]).toEqual([7, 0]);
  });
});
