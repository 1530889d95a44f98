import * as fc from 'fast-check';
import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import { type DrawnNode, drawnNode, drawnNodes, hostKey, sometimes, zoneKey, zones } from './drawn-nodes.ts';
import { type DrawnPod, drawnBoundPods, drawnPod } from './drawn-pods.ts';
import { clusterOf, type Question } from './question.ts';

/** A group that launches nodes like this one, in any of its zones. */
export interface DrawnGroup {
  readonly name: string;
  readonly zones: readonly string[];
  readonly mostNewNodes: number;
  readonly template: DrawnNode;
}

/** Pods of one shape. */
export interface DrawnWorkload {
  readonly pod: DrawnPod;
  readonly count: number;
  /** The class of a claim that each pod has for itself, as in a StatefulSet. */
  readonly storageClass: string | undefined;
}

/** A cluster, groups that may grow, and the pods that need room. */
export interface DrawnPlan {
  readonly cluster: Omit<Question, 'asked' | 'binds'>;
  readonly groups: readonly DrawnGroup[];
  readonly daemonSets: readonly DaemonSet[];
  readonly pods: readonly Pod[];
  /** The zones that Auto Scaling chooses: for each new node in turn, one of its group's by its number. */
  readonly choices: readonly number[];
}

/** New nodes have more room than others, so that most plans do not end at the first pod. */
const room = fc.record({
  cpu: fc.constantFrom('3920m', '7.91', '16'),
  memory: fc.constantFrom('15729368Ki', '32G'),
  pods: fc.constantFrom('8', '110'),
  'ephemeral-storage': fc.constant('20G'),
  'nvidia.com/gpu': fc.constantFrom('0', '4'),
  'hugepages-2Mi': fc.constantFrom('0', '1Gi'),
});

const drawnGroup = (name: string): fc.Arbitrary<DrawnGroup> =>
  fc
    .record({
      zones: fc.oneof(
        { weight: 3, arbitrary: zones.map((zone) => [zone]) },
        { weight: 1, arbitrary: fc.uniqueArray(zones, { minLength: 2, maxLength: 3 }) },
      ),
      mostNewNodes: fc.integer({ min: 0, max: 6 }),
      template: drawnNode(`${name}-template`),
      room,
    })
    .map(({ template: { node, csiNode }, room: allocatable, ...group }) => ({
      ...group,
      name,
      template: { node: { ...node, status: { ...node.status, allocatable } }, csiNode },
    }));

const daemonSet: fc.Arbitrary<DaemonSet> = fc
  .record({
    cpu: fc.constantFrom('100m', '0.5'),
    toleratesAll: fc.boolean(),
    pool: sometimes(fc.constantFrom('one', 'two'), 0.5),
  })
  .map(({ cpu, toleratesAll, pool }) => ({
    metadata: { namespace: 'void', name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: {
          containers: [{ name: 'agent', image: 'image', resources: { requests: { cpu } } }],
          ...(toleratesAll && { tolerations: [{ operator: 'Exists' }] }),
          ...(pool !== undefined && { nodeSelector: { pool } }),
        },
      },
    },
  }));

const workload: fc.Arbitrary<DrawnWorkload> = fc.record({
  pod: drawnPod,
  count: fc.integer({ min: 1, max: 10 }),
  storageClass: sometimes(fc.constantFrom('gp3', 'only-b'), 0.2),
});

const podsOf = ({ pod, count, storageClass }: DrawnWorkload, name: string): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { namespace: pod.namespace, name: `${name}-${index}`, labels: pod.labels },
    spec:
      storageClass === undefined
        ? pod.spec
        : {
            ...pod.spec,
            volumes: [
              ...(pod.spec.volumes ?? []),
              { name: 'data', persistentVolumeClaim: { claimName: `data-${name}-${index}` } },
            ],
          },
  }));

const claimsOf = (
  { pod, count, storageClass }: DrawnWorkload,
  name: string,
): readonly PersistentVolumeClaim[] =>
  storageClass === undefined
    ? []
    : Array.from({ length: count }, (_, index) => ({
        metadata: { namespace: pod.namespace, name: `data-${name}-${index}` },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          storageClassName: storageClass,
        },
      }));

/** Plans of up to this number of shapes of pods. */
export const drawnPlan = (mostShapes: number): fc.Arbitrary<DrawnPlan> =>
  drawnNodes(4).chain((nodes) => {
    const names = nodes.map(({ node }) => node.metadata?.name ?? '');
    return fc
      .record({
        bound: drawnBoundPods(names, 6),
        groups: fc.tuple(drawnGroup('first'), sometimes(drawnGroup('second'), 1)),
        daemonSets: sometimes(daemonSet, 0.5),
        workloads: fc.array(workload, { minLength: 1, maxLength: mostShapes }),
        choices: fc.array(fc.nat({ max: 5 }), { minLength: 3, maxLength: 3 }),
      })
      .map(({ bound, groups, daemonSets, workloads, choices }) => {
        const cluster = clusterOf(nodes, { pods: bound, attached: [] });
        const nameOf = (index: number): string => `pod-${index}`;
        return {
          cluster: {
            ...cluster,
            claims: [...cluster.claims, ...workloads.flatMap((one, index) => claimsOf(one, nameOf(index)))],
          },
          groups: groups.filter((group) => group !== undefined),
          daemonSets: daemonSets === undefined ? [] : [daemonSets],
          pods: workloads.flatMap((one, index) => podsOf(one, nameOf(index))),
          choices,
        };
      });
  });

const zoneKeys = [zoneKey, 'topology.ebs.csi.aws.com/zone'];
const oldZoneKey = 'failure-domain.beta.kubernetes.io/zone';

/** The node that a group launched, in the zone that Auto Scaling chose. */
export function launched({ template }: DrawnGroup, name: string, zone: string): DrawnNode {
  const { node, csiNode } = template;
  const labels = node.metadata?.labels ?? {};
  const keys = labels[oldZoneKey] === undefined ? zoneKeys : [...zoneKeys, oldZoneKey];
  const inZone = Object.fromEntries(keys.map((key) => [key, zone]));
  const launchedNode: Node = {
    ...node,
    metadata: { ...node.metadata, name, labels: { ...labels, ...inZone, [hostKey]: name } },
  };
  return { node: launchedNode, csiNode: { ...csiNode, metadata: { name } } };
}
