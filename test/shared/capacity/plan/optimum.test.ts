import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import type { PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, planned } from './fixtures.ts';

/** A pod as the search sees it: thousandths of a CPU and GiB. */
interface Small {
  readonly cpu: number;
  readonly memory: number;
  readonly hasHostPort: boolean;
}

const room = { cpu: 4000, memory: 16 };

/** Pods that ask for up to a share of a node. */
const upTo = (share: number): fc.Arbitrary<Small> =>
  fc.record({
    cpu: fc.integer({ min: 1, max: 40 * share }).map((tenths) => tenths * 100),
    memory: fc.integer({ min: 1, max: 16 * share }),
    hasHostPort: fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0),
  });

const podOf = ({ cpu, memory, hasHostPort }: Small, index: number): PlannedPod =>
  planned(`pod-${index}`, {
    spec: {
      containers: [
        {
          name: 'main',
          resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Gi` } },
          ports: hasHostPort ? [{ containerPort: 80, hostPort: 80 }] : [],
        },
      ],
    },
  });

/** The fewest nodes that take all pods in any arrangement, found by trying each. */
function fewestNodes(pods: readonly Small[]): number {
  let best = pods.length;
  const nodes: { cpu: number; memory: number; ports: number }[] = [];
  const put = (index: number): void => {
    const pod = pods[index];
    if (nodes.length >= best) return;
    if (pod === undefined) {
      best = nodes.length;
      return;
    }
    const port = pod.hasHostPort ? 1 : 0;
    for (const node of nodes) {
      if (node.cpu < pod.cpu || node.memory < pod.memory || node.ports < port) continue;
      node.cpu -= pod.cpu;
      node.memory -= pod.memory;
      node.ports -= port;
      put(index + 1);
      node.cpu += pod.cpu;
      node.memory += pod.memory;
      node.ports += port;
    }
    nodes.push({ cpu: room.cpu - pod.cpu, memory: room.memory - pod.memory, ports: 1 - port });
    put(index + 1);
    nodes.pop();
  };
  put(0);
  return best;
}

function plannedNodes(pods: readonly Small[]): number {
  const group = groupOf('workers', { mostNewNodes: 20 });
  const { newNodes, unplaced } = planNodes({ nodes: [], groups: [group], pods: pods.map(podOf) });
  expect(unplaced.size).toBe(0);
  return newNodes.get('workers') ?? 0;
}

describe('the nodes of a plan, beside the fewest that a search of all arrangements finds,', () => {
  it('are at most one more for pods of one shape', () => {
    fc.assert(
      fc.property(upTo(1), fc.integer({ min: 1, max: 8 }), (one, count) => {
        const pods = Array.from({ length: count }, () => one);
        const fewest = fewestNodes(pods);
        expect(plannedNodes(pods)).toBeGreaterThanOrEqual(fewest);
        expect(plannedNodes(pods)).toBeLessThanOrEqual(fewest + 1);
      }),
      { numRuns: 100 },
    );
  });

  /** How much more than the fewest, from the least to the most. */
  const excessOf = (share: number): readonly number[] =>
    fc
      .sample(fc.array(upTo(share), { minLength: 2, maxLength: 8 }), { numRuns: 200, seed: 1 })
      .map((pods) => ({ fewest: fewestNodes(pods), ours: plannedNodes(pods) }))
      .map(({ fewest, ours }) => (ours - fewest) / fewest)
      .toSorted((one, other) => one - other);

  it('are at most a tenth more in the median for pods of several shapes up to half a node, and never fewer', () => {
    const excess = excessOf(0.5);
    expect(excess[0]).toBeGreaterThanOrEqual(0);
    expect(excess[100]).toBeLessThanOrEqual(0.1);
    // A long tail would not show in the median.
    expect(excess[190]).toBeLessThanOrEqual(0.5);
  });

  it('are at most a fifth more in the median if pods ask for up to a whole node: one node more of five', () => {
    const excess = excessOf(1);
    expect(excess[0]).toBeGreaterThanOrEqual(0);
    expect(excess[100]).toBeLessThanOrEqual(0.2);
  });
});
