import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OccupiedNode, PlannedPod } from '../../../../shared/capacity/plan/types.ts';
import { groupOf, occupied, type PodSettings, planned } from './fixtures.ts';
import { type GrowthSettings, growthOf } from './group-growth.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';

const apart = (topologyKey: string): PodSettings['spec'] => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey, labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
});

const spread = (topologyKey: string, maxSkew: number): PodSettings['spec'] => ({
  topologySpreadConstraints: [
    {
      maxSkew,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
});

const rules: fc.Arbitrary<PodSettings['spec']> = fc.constantFrom(
  {},
  {},
  {},
  apart(hostKey),
  apart(zoneKey),
  spread(hostKey, 1),
  spread(hostKey, 2),
  spread(zoneKey, 2),
  { containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: 80 }] }] },
);

const shape = fc.record({
  cpu: fc.integer({ min: 100, max: 4000 }),
  memory: fc.integer({ min: 1, max: 16 }),
  spec: rules,
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

const podOfShape = (name: string, { cpu, memory, spec }: Shape): PlannedPod =>
  planned(name, {
    labels: { app: 'web' },
    requests: { cpu: `${cpu}m`, memory: `${memory}Gi` },
    ...(spec && { spec }),
  });

/** Nodes of the group and of another one in two zones. */
const nodes: fc.Arbitrary<readonly OccupiedNode[]> = fc
  .array(fc.record({ isOwn: fc.boolean(), zone: fc.constantFrom('a', 'b') }), { maxLength: 4 })
  .map((list) =>
    list.map(({ isOwn, zone }, index) =>
      occupied(`node-${index}`, {
        autoScalingGroupName: isOwn ? 'workers' : 'others',
        labels: { [zoneKey]: isOwn ? 'a' : zone },
      }),
    ),
  );

const manner = fc.constantFrom<GrowthSettings['manner'][]>('most-room', 'any');
const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 40, maxLength: 60 });
const maxSize = fc.constantFrom(3, 8, 50);
const group = groupOf('workers');

describe('the size of a group that grows for pods of one shape', () => {
  const growth = fc
    .record({ shape, nodes, manner, draws, maxSize, count: fc.integer({ min: 0, max: 14 }) })
    .map((drawn) => ({
      ...drawn,
      group,
      pods: Array.from({ length: drawn.count }, (_, index) => podOfShape(`pod-${index}`, drawn.shape)),
    }));

  it('never grows while pods are bound and nodes join, and is enough for all pods in the end', () => {
    fc.assert(
      fc.property(growth, (settings) => {
        const history = growthOf(settings);
        for (const { size } of history) expect(size).toBeLessThanOrEqual(settings.maxSize);
        // Pods that spread over zones may have no place until others are bound in another zone. The group grows for them then.
        fc.pre(history[0]?.withoutPlace === 0 && !history[0].isAtMaxSize);
        for (const [index, { size, instances }] of history.entries()) {
          expect(size).toBeLessThanOrEqual(history[index - 1]?.size ?? settings.maxSize);
          expect(instances).toBe(size);
        }
        expect(history.at(-1)).toMatchObject({ open: 0, isMet: true });
      }),
      { numRuns: 40 },
    );
  });
});
