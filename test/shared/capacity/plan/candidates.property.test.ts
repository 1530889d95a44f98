import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCandidates } from '../../../../shared/capacity/plan/candidates.ts';
import { createClusterState, type NodeState } from '../../../../shared/capacity/plan/cluster-state.ts';
import { prepareCheck } from '../../../../shared/capacity/plan/filters.ts';
import type { PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { occupied, planned } from './fixtures.ts';

/** Free shares of CPU and memory after the pod, worked out from the pods that were placed. */
function roomAfter(
  pod: PlannedPod,
  state: NodeState,
  placed: readonly (readonly [PlannedPod, number])[],
): number {
  const here = [pod, ...placed.filter(([, index]) => index === state.index).map(([other]) => other)];
  return ['cpu', 'memory']
    .map((name) => {
      const allocatable = state.node.allocatable.get(name) ?? 0;
      const taken = here.reduce((sum, { rankedRequests }) => sum + (rankedRequests.get(name) ?? 0), 0);
      return Math.max(0, allocatable - taken) / allocatable;
    })
    .reduce((sum, share) => sum + share, 0);
}

const shapes = fc.record({
  cpu: fc.constantFrom(0, 250, 1000, 3000),
  memory: fc.constantFrom(0, 1, 8),
  hostPort: fc.boolean(),
  spreads: fc.boolean(),
  pool: fc.constantFrom('one', 'two'),
});

/** Few shapes with many pods each: from the second pod on, a queue chooses the node. */
const shapesOfPods = fc
  .array(shapes, { minLength: 1, maxLength: 3 })
  .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 40 }));

const podOfShape = ({
  cpu,
  memory,
  hostPort,
  spreads,
  pool,
}: typeof shapes extends fc.Arbitrary<infer T> ? T : never): PlannedPod =>
  planned('web', {
    labels: { app: 'web' },
    spec: {
      nodeSelector: { pool },
      topologySpreadConstraints: spreads
        ? [
            {
              maxSkew: 1,
              topologyKey: 'zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ]
        : [],
      containers: [
        {
          name: 'main',
          resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Gi` } },
          ports: hostPort ? [{ containerPort: 80, hostPort: 80 }] : [],
        },
      ],
    },
  });

const nodes = fc
  .array(
    fc.record({
      pool: fc.constantFrom('one', 'one', 'two'),
      zone: fc.constantFrom('a', 'b'),
      cpu: fc.integer({ min: 1, max: 8 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((list) =>
    list.map(({ cpu, ...labels }, index) =>
      occupied(`node-${index}`, { labels, allocatable: { cpu: String(cpu) } }),
    ),
  );

it('each pod goes to the first of the nodes with the most room, also to nodes that are added on the way', () => {
  fc.assert(
    fc.property(nodes, shapesOfPods, fc.nat({ max: 8 }), (all, wanted, late) => {
      const cluster = createClusterState(all.slice(late));
      const candidates = createCandidates(cluster);
      const placed: (readonly [PlannedPod, number])[] = [];
      for (const [position, shape] of wanted.entries()) {
        const added = all.slice(0, late)[position / 4];
        if (added !== undefined) candidates.addNode(cluster.addNode(added));
        const pod = podOfShape(shape);
        const check = prepareCheck(pod, cluster);
        const rooms = cluster.nodes
          .filter((state) => check(state).length === 0)
          .map((state) => ({ index: state.index, room: roomAfter(pod, state, placed) }));
        const most = Math.max(...rooms.map(({ room }) => room));
        const best = candidates.bestFor(pod);
        expect(best?.index).toBe(rooms.find(({ room }) => room === most)?.index);
        if (best === undefined) continue;
        cluster.addPod(pod, best.index);
        placed.push([pod, best.index]);
      }
    }),
    { numRuns: 200 },
  );
});

it('hundreds of shapes, as the pods of a StatefulSet have, are spread over the nodes like one', () => {
  const cluster = createClusterState(
    ['a', 'b', 'c', 'd'].map((name) => occupied(name, { allocatable: { cpu: '600', pods: '600' } })),
  );
  const candidates = createCandidates(cluster);
  const replicas = Array.from({ length: 300 }, (_, index) =>
    planned(`db-${index}`, { labels: { index: String(index) }, requests: { cpu: '1' } }),
  );
  for (const pod of [...replicas, ...replicas]) {
    const best = candidates.bestFor(pod);
    if (best !== undefined) cluster.addPod(pod, best.index);
  }
  expect(cluster.nodes.map(({ pods }) => pods)).toEqual([150, 150, 150, 150]);
});
