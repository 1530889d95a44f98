import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainPod } from '../../../../shared/capacity/plan/explain-pod.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { groupOf, occupied, planned, replicas } from './fixtures.ts';

const half = { requests: { cpu: '2', memory: '8Gi' } };

describe('the explanation of a pod', () => {
  it('names its node, the reasons of nodes that refused it and the nodes that had less room', () => {
    const nodes = [
      occupied('a1', { pods: replicas(1, 'old', { requests: { cpu: '1' } }) }),
      occupied('a2'),
      occupied('a3', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      occupied('a4', { allocatable: { cpu: '1' } }),
    ];
    const request = { nodes, groups: [groupOf('workers')], pods: replicas(2, 'web', half) };
    const plan = planNodes(request);
    const [first, second] = request.pods.map((pod) => explainPod(request, plan, pod));
    expect(first).toEqual({
      kind: 'placed',
      nodeName: 'a2',
      placedBefore: 0,
      nodes: 4,
      reasons: new Map([
        ['node(s) had untolerated taint(s)', 1],
        ['Insufficient cpu', 1],
      ]),
      passed: [
        { nodeName: 'a2', cpuLeft: 0.5, memoryLeft: 0.5 },
        { nodeName: 'a1', cpuLeft: 0.25, memoryLeft: expect.closeTo(0.4878, 4) },
      ],
    });
    expect(second).toMatchObject({ kind: 'placed', nodeName: 'a1', placedBefore: 1 });
  });

  it('says why no node takes it, and why no group grows for it', () => {
    const huge = planned('huge', { requests: { cpu: '5' } });
    const request = { nodes: [occupied('a1')], groups: [groupOf('workers')], pods: [huge] };
    expect(explainPod(request, planNodes(request), huge)).toEqual({
      kind: 'unplaced',
      nodes: 1,
      reasons: new Map([['Insufficient cpu', 1]]),
      groups: new Map([['workers', { kind: 'refuses', reasons: ['Insufficient cpu'] }]]),
    });
  });

  it('is not given for a pod that the plan does not have', () => {
    const request = { nodes: [occupied('a1')], groups: [], pods: [] };
    expect(explainPod(request, planNodes(request), planned('web'))).toBeUndefined();
  });

  it('names the node of the plan as the one with the most room, for each pod', () => {
    const sizes = fc.array(fc.record({ cpu: fc.integer({ min: 0, max: 5 }), apart: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    });
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 4 }), (list, count) => {
        const request = {
          nodes: Array.from({ length: count }, (_, index) => occupied(`a${index}`)).toReversed(),
          groups: [groupOf('workers', { mostNewNodes: 3 })],
          pods: list.map(({ cpu, apart }, index) =>
            planned(`pod-${index}`, {
              labels: { app: 'web' },
              requests: { cpu: String(cpu) },
              spec: apart ? { affinity } : {},
            }),
          ),
        };
        const plan = planNodes(request);
        for (const { pod, nodeName } of plan.placements) {
          const explanation = explainPod(request, plan, pod);
          if (explanation?.kind === 'placed') expect(explanation.passed[0]?.nodeName).toBe(nodeName);
          else expect([explanation?.kind, nodeName]).toEqual(['unplaced', undefined]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
