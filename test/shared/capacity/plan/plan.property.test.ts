import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collide } from '../../../../shared/capacity/plan/host-ports.ts';
import { newNodeOf, type PlanGroup } from '../../../../shared/capacity/plan/new-node.ts';
import { ordersOf } from '../../../../shared/capacity/plan/orders.ts';
import { createPlacer, type NewNodes, type Placement } from '../../../../shared/capacity/plan/place.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, occupied, planned, replicas } from './fixtures.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const apps = ['web', 'db', 'cache'] as const;

const zones = fc.constantFrom('a', 'b', 'c');
const topologyKey = fc.constantFrom(zoneKey, 'kubernetes.io/hostname');
const taints = fc.boolean().map((hasTaint) => (hasTaint ? [{ key: 'gpu', effect: 'NoSchedule' }] : []));

/** Pods with any of the things that keep pods off nodes. */
const shape = fc.record({
  app: fc.constantFrom(...apps),
  cpu: fc.integer({ min: 0, max: 4500 }),
  memory: fc.integer({ min: 0, max: 12 }),
  hostPort: fc.option(fc.constantFrom(80, 443), { freq: 4 }),
  zone: fc.option(zones, { freq: 4 }),
  tolerates: fc.boolean(),
  refuses: fc.option(fc.record({ app: fc.constantFrom(...apps), topologyKey }), { freq: 3 }),
  wants: fc.option(fc.record({ app: fc.constantFrom(...apps), topologyKey }), { freq: 5 }),
  spread: fc.option(fc.record({ maxSkew: fc.integer({ min: 1, max: 2 }), topologyKey }), { freq: 4 }),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

const termOf = ({ app, topologyKey: key }: { readonly app: string; readonly topologyKey: string }) => ({
  topologyKey: key,
  labelSelector: { matchLabels: { app } },
});

const podOfShape = (
  name: string,
  { app, cpu, memory, hostPort, zone, tolerates, refuses, wants, spread }: Shape,
): PlannedPod =>
  planned(name, {
    labels: { app },
    spec: {
      containers: [
        {
          name: 'main',
          resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Gi` } },
          ports: hostPort === null ? [] : [{ containerPort: 80, hostPort }],
        },
      ],
      nodeSelector: zone === null ? {} : { [zoneKey]: zone },
      tolerations: tolerates ? [{ key: 'gpu', operator: 'Exists' }] : [],
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: refuses ? [termOf(refuses)] : [] },
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: wants ? [termOf(wants)] : [] },
      },
      topologySpreadConstraints: spread
        ? [
            {
              ...termOf({ app, topologyKey: spread.topologyKey }),
              maxSkew: spread.maxSkew,
              whenUnsatisfiable: 'DoNotSchedule',
            },
          ]
        : [],
    },
  });

const podsOf = (prefix: string, maxLength: number): fc.Arbitrary<readonly PlannedPod[]> =>
  fc
    .array(fc.record({ shape, count: fc.integer({ min: 1, max: 4 }) }), { maxLength })
    .map((list) =>
      list.flatMap((item, index) =>
        Array.from({ length: item.count }, (_, copy) => podOfShape(`${prefix}-${index}-${copy}`, item.shape)),
      ),
    );

const nodes: fc.Arbitrary<readonly OccupiedNode[]> = fc
  .array(
    fc.record({ zone: zones, taints, cpu: fc.integer({ min: 1, max: 8 }), unschedulable: fc.boolean() }),
    { maxLength: 4 },
  )
  .map((list) =>
    list.map(({ zone, cpu, ...rest }, index) =>
      occupied(`node-${index}`, { ...rest, labels: { [zoneKey]: zone }, allocatable: { cpu: String(cpu) } }),
    ),
  );

const groups: fc.Arbitrary<readonly PlanGroup[]> = fc
  .array(
    fc.record({
      zones: fc.uniqueArray(zones, { minLength: 1 }),
      taints,
      mostNewNodes: fc.integer({ min: 0, max: 6 }),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((list) => list.map((settings, index) => groupOf(`group-${index}`, settings)));

const cluster = fc.record({ nodes, groups, pods: podsOf('pod', 4) });

/** A pod on a node, in the order in which the pods were placed. */
interface Bound {
  readonly pod: PlannedPod;
  readonly node: OccupiedNode;
}

function boundPods(
  placements: readonly Placement[],
  {
    nodes: existing,
    groups: all,
    newNodes,
  }: { nodes: readonly OccupiedNode[]; groups: readonly PlanGroup[]; newNodes: NewNodes },
): { readonly bound: readonly Bound[]; readonly every: readonly OccupiedNode[] } {
  const fresh = all.flatMap((group) =>
    Array.from({ length: newNodes.get(group.autoScalingGroupName) ?? 0 }, (_, index) =>
      newNodeOf(group, index + 1),
    ),
  );
  const every = [...existing, ...fresh];
  const bound = placements.flatMap(({ pod, nodeName }) => {
    if (nodeName === undefined) return [];
    const node = every.find((candidate) => candidate.node.name === nodeName);
    if (node === undefined) throw new Error(`there is no node ${nodeName}`);
    return [{ pod, node }];
  });
  return { bound, every };
}

const valuesOf = ({ node }: OccupiedNode, key: string): readonly string[] =>
  node.labelSets.map((labels) => labels[key] ?? '');
const share = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((value) => other.includes(value));
const selects = (
  { requirements }: PlannedPod['podAffinity'][number]['selector'],
  { labels }: PlannedPod,
): boolean => requirements.every(({ key, values }) => values.includes(labels[key] ?? ''));

/** Whether the pod's domain has more than maxSkew pods more than another one, right after the pod was placed. */
function isUneven(
  { selector, topologyKey: key, maxSkew }: PlannedPod['spread'][number],
  { pod, node }: Bound,
  { before, every }: { readonly before: readonly Bound[]; readonly every: readonly OccupiedNode[] },
): boolean {
  const certain = (other: OccupiedNode): string | undefined => {
    const values = new Set(valuesOf(other, key));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const eligible = every.filter((other) =>
    Object.entries(pod.nodeSelector).every(([label, value]) =>
      valuesOf(other, label).every((own) => own === value),
    ),
  );
  const domains = [...new Set(eligible.map(certain))].filter((domain) => domain !== undefined);
  const countIn = (domain: string | undefined): number =>
    before.filter(
      (other) =>
        eligible.includes(other.node) && certain(other.node) === domain && selects(selector, other.pod),
    ).length;
  const fewest = Math.min(...domains.map(countIn));
  return certain(node) === undefined || countIn(certain(node)) + 1 - fewest > maxSkew;
}

/** The rules that a finished placement breaks, worked out another way than the filters do. */
function violations(bound: readonly Bound[], every: readonly OccupiedNode[]): readonly string[] {
  const found: string[] = [];
  for (const { node } of every) {
    const here = bound.filter((item) => item.node.node.name === node.name).map(({ pod }) => pod);
    for (const resource of ['cpu', 'memory']) {
      const total = here.reduce((sum, { requests }) => sum + (requests.get(resource) ?? 0), 0);
      if (total > (node.allocatable.get(resource) ?? 0))
        found.push(`${node.name} has too little ${resource}`);
    }
    const ports = here.flatMap(({ hostPorts }) => hostPorts);
    if (ports.some((port, index) => ports.slice(index + 1).some((other) => collide(port, other))))
      found.push(`${node.name} has a port twice`);
    if (here.length > 0 && node.closed !== undefined) found.push(`${node.name} is closed`);
    if (node.taints.length > 0 && here.some(({ tolerations }) => tolerations.length === 0))
      found.push(`${node.name} has a pod that does not tolerate its taint`);
  }
  for (const [index, { pod, node }] of bound.entries()) {
    const before = bound.slice(0, index);
    if (pod.spread.some((constraint) => isUneven(constraint, { pod, node }, { before, every })))
      found.push(`${pod.name} makes its domain too full`);
    if (
      Object.entries(pod.nodeSelector).some(([key, value]) =>
        valuesOf(node, key).some((own) => own !== value),
      )
    )
      found.push(`${pod.name} is not in the zone that it selects`);
    for (const { selector, topologyKey: key } of pod.podAntiAffinity)
      for (const [position, other] of bound.entries())
        if (
          position !== index &&
          selects(selector, other.pod) &&
          share(valuesOf(node, key), valuesOf(other.node, key))
        )
          found.push(`${pod.name} is beside ${other.pod.name}`);
    for (const { selector, topologyKey: key } of pod.podAffinity) {
      const before = bound.slice(0, index).filter((other) => selects(selector, other.pod));
      const isBeside = before.some((other) => valuesOf(other.node, key)[0] === valuesOf(node, key)[0]);
      if (!isBeside && !(before.length === 0 && selects(selector, pod)))
        found.push(`${pod.name} is not near its kind`);
    }
  }
  return found;
}

describe('any plan', () => {
  it('places each pod where every filter allows it', () => {
    fc.assert(
      fc.property(cluster, (request) => {
        const plan = planNodes(request);
        const { bound, every } = boundPods(plan.placements, { ...request, newNodes: plan.newNodes });
        expect(violations(bound, every)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('stays within the bounds of each group, and needs the last node of each', () => {
    fc.assert(
      fc.property(cluster, (request) => {
        const { newNodes, unplaced } = planNodes(request);
        for (const group of request.groups) {
          const count = newNodes.get(group.autoScalingGroupName) ?? 0;
          expect(count).toBeLessThanOrEqual(group.mostNewNodes);
          if (count === 0) continue;
          const fewer = new Map(newNodes).set(group.autoScalingGroupName, count - 1);
          const unplacedWith = (some: NewNodes): readonly number[] =>
            ordersOf(request.pods, request.groups[0]?.template.node).map(
              (pods) =>
                createPlacer(
                  request.nodes,
                  request.groups,
                )({ pods, newNodes: some, grows: false, explains: false }).placements.filter(
                  ({ pod, nodeName }) => nodeName === undefined && !unplaced.has(pod),
                ).length,
            );
          if (unplaced.size === 0) {
            expect(Math.max(...unplacedWith(newNodes))).toBe(0);
            expect(Math.max(...unplacedWith(fewer))).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is the same for the same input, and for its nodes in another order', () => {
    fc.assert(
      fc.property(cluster, (request) => {
        const plan = planNodes(request);
        expect(planNodes(request)).toEqual(plan);
        expect(planNodes({ ...request, nodes: request.nodes.toReversed() })).toEqual(plan);
      }),
      { numRuns: 60 },
    );
  });

  it('of pods of one shape is the same in whichever order they come', () => {
    fc.assert(
      fc.property(nodes, groups, shape, fc.integer({ min: 1, max: 12 }), (existing, all, one, count) => {
        const pods = Array.from({ length: count }, (_, index) => podOfShape(`pod-${index}`, one));
        const plan = planNodes({ nodes: existing, groups: all, pods });
        const reversed = planNodes({ nodes: existing, groups: all, pods: pods.toReversed() });
        expect([reversed.newNodes, reversed.fitNow]).toEqual([plan.newNodes, plan.fitNow]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('room', () => {
  const placedCount = (existing: readonly OccupiedNode[], pods: readonly PlannedPod[]): number =>
    createPlacer(
      existing,
      [],
    )({
      newNodes: new Map(),
      pods,
      grows: false,
      explains: false,
    }).placements.filter(({ nodeName }) => nodeName !== undefined).length;
  const sizes = fc.array(
    fc.record({ cpu: fc.integer({ min: 1, max: 9 }), memory: fc.integer({ min: 1, max: 32 }) }),
    {
      maxLength: 6,
    },
  );
  const nodesOf = (
    list: readonly { readonly cpu: number; readonly memory: number }[],
  ): readonly OccupiedNode[] =>
    list.map(({ cpu, memory }, index) =>
      occupied(`node-${index}`, { allocatable: { cpu: String(cpu), memory: `${memory}Gi` } }),
    );

  it('for pods of one shape is never less with one node more', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.record({ cpu: fc.integer({ min: 1, max: 4 }), memory: fc.integer({ min: 1, max: 8 }) }),
        (list, { cpu, memory }) => {
          const pods = replicas(30, 'web', { requests: { cpu: String(cpu), memory: `${memory}Gi` } });
          const withMore = placedCount(nodesOf(list), pods);
          expect(placedCount(nodesOf(list.slice(0, -1)), pods)).toBeLessThanOrEqual(withMore);
        },
      ),
    );
  });

  it('of equal nodes that is enough for pods that differ in CPU is enough with one node more', () => {
    const cpus = fc.array(fc.integer({ min: 1, max: 4000 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), cpus, (count, amounts) => {
        const equal = (number: number): readonly OccupiedNode[] =>
          Array.from({ length: number }, (_, index) => occupied(`node-${index}`));
        const pods = amounts.map((cpu, index) =>
          planned(`pod-${index}`, { requests: { cpu: `${cpu}m`, memory: '0' } }),
        );
        if (placedCount(equal(count), pods) === pods.length)
          expect(placedCount(equal(count + 1), pods)).toBe(pods.length);
      }),
    );
  });
});
