import { assert, constantFrom, integer, nat, pre, property, uniqueArray } from 'fast-check';
import type { StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { workloadOf } from '../../../../shared/capacity/manifests/make-workload.ts';
import { missingPods } from '../../../../shared/capacity/manifests/running.ts';
import { emptySurroundings } from '../../../../shared/capacity/plan/pod.ts';
import { podsWithKeptClaims } from '../../../../shared/capacity/pod-holds/kept-claims.ts';
import { groupOf, planned } from '../plan/fixtures.ts';
import { web } from './fixtures.ts';
import { node, plan, type Situation } from './situation.ts';

const zoneKey = 'topology.kubernetes.io/zone';

/** Claims of `db` by their names, with a volume in the zone given. */
function surroundingsWith(zones: Readonly<Record<string, string>>, labels = { app: 'db' }) {
  const names = Object.keys(zones);
  const claim = (name: string): PersistentVolumeClaim => ({
    metadata: { namespace: 'shop', name, labels },
    spec: { storageClassName: 'gp3', volumeName: `pv-${name}` },
  });
  const volume = (name: string): PersistentVolume => ({
    metadata: { name: `pv-${name}` },
    spec: {
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: zoneKey, operator: 'In', values: [zones[name] ?? ''] }] },
          ],
        },
      },
    },
  });
  const gp3 = { provisioner: 'ebs.csi.aws.com', volumeBindingMode: 'WaitForFirstConsumer' };
  return {
    ...emptySurroundings,
    volumes: {
      claims: new Map(names.map((name) => [`shop/${name}`, claim(name)])),
      volumes: new Map(names.map((name) => [`pv-${name}`, volume(name)])),
      classes: new Map<string, StorageClass>([['gp3', { ...gp3, metadata: { name: 'gp3' } }]]),
    },
  };
}

/** Three pods of a StatefulSet, each of which fills a node. */
const db = web({
  total: 3,
  template: {
    labels: { app: 'db' },
    spec: { containers: [{ resources: { requests: { cpu: '3' } } }] } as never,
  },
  selector: { matchLabels: { app: 'db' } },
  claims: [{ name: 'data', storageClassName: 'gp3' }],
});

const hold = (zones: Readonly<Record<string, string>>, more: Situation = {}) =>
  plan({
    holds: [{ pods: db }],
    ...more,
    input: { groups: [groupOf('workers', { zones: ['a'] })], surroundings: surroundingsWith(zones) },
  });

// gardener/autoscaler#245 and #34: a StatefulSet that was scaled to 0 for the night wakes up with its old claims, whose volumes are in one zone each.
describe('the pods of a StatefulSet that left claims behind', () => {
  it('need the zones of their volumes (gardener/autoscaler#245)', () => {
    expect(hold({ 'data-db-0': 'a', 'data-db-1': 'b', 'data-db-2': 'c' })).toMatchObject({
      nodes: 1,
      holds: { sale: { open: 3, withoutPlace: 2 } },
    });
  });

  it('are promised no node of a group over several zones', () => {
    const surroundings = surroundingsWith({ 'data-db-0': 'a' });
    const input = { groups: [groupOf('workers', { zones: ['a', 'b'] })], surroundings };
    const reading = plan({ holds: [{ pods: db }], input });
    expect(reading).toMatchObject({ nodes: 2, holds: { sale: { withoutPlace: 1 } } });
  });

  it('are those with the lowest numbers, and further ones have new claims', () => {
    const zones = { 'data-db-0': 'a', 'data-db-1': 'a', 'data-db-7': 'b', 'data-db-10': 'b' };
    expect(hold(zones)).toMatchObject({ nodes: 3 });
  });

  it('leave out the claims of pods that run', () => {
    const running = planned('db-1', { labels: { app: 'db' }, requests: { cpu: '3' } });
    const zones = { 'data-db-0': 'a', 'data-db-1': 'b', 'data-db-2': 'a' };
    const nodes = [node('n', { pods: [running], labels: { [zoneKey]: 'b' } })];
    expect(hold(zones, { nodes })).toMatchObject({ nodes: 3, holds: { sale: { open: 2 } } });
  });

  it('have new claims if the old ones belong to others', () => {
    const surroundings = surroundingsWith({ 'data-db-0': 'b' }, { app: 'other' });
    const input = { groups: [groupOf('workers')], surroundings };
    expect(plan({ holds: [{ pods: db }], input })).toMatchObject({ nodes: 3 });
  });
});

/** As in a manifest: its pods have the names of the controller, which a plan from the manifest knows. */
const statefulSet: StatefulSet & { readonly kind: 'StatefulSet' } = {
  kind: 'StatefulSet',
  metadata: { namespace: 'shop', name: 'db' },
  spec: {
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [] } },
    volumeClaimTemplates: ['data', 'data-log'].map((name) => ({ metadata: { name } })),
  },
};

it('a hold uses the same old claims as a plan of the manifest, whichever pods run and whichever claims are left', () => {
  const ordinals = uniqueArray(nat({ max: 12 }), { maxLength: 12 });
  const template = constantFrom('data', 'data-log');
  assert(
    property(ordinals, ordinals, template, integer({ min: 1, max: 8 }), (left, runs, name, total) => {
      // Without a claim below the total, the numbers are taken to begin later.
      pre(Math.min(...left) < total);
      const { volumes } = surroundingsWith(
        Object.fromEntries(left.map((ordinal) => [`${name}-db-${ordinal}`, 'a'])),
      );
      const running = runs.map((ordinal) => planned(`db-${ordinal}`, { labels: { app: 'db' } }));
      const request = { ...db, total, claims: [{ name: 'data' }, { name: 'data-log' }] };
      const { workload } = missingPods(
        workloadOf(statefulSet, 'shop'),
        total,
        running.map((pod) => ({
          metadata: { namespace: 'shop', name: pod.name, labels: { app: 'db' } },
          spec: { nodeName: 'n', containers: [] },
        })),
      );
      const expected = workload.pods.filter(({ metadata }) =>
        volumes.claims.has(`shop/${name}-${metadata?.name}`),
      );
      expect(podsWithKeptClaims(request, volumes, running)).toEqual(
        expected.map(({ metadata }) => metadata?.name),
      );
    }),
  );
});
