import type { CSINode } from 'kubernetes-types/storage/v1.d.ts';
import type { ManifestReading } from '../../../../../shared/capacity/manifests/workload.ts';
import type { DrawnPlan } from '../../../../contract/scheduler/support/drawn-plans.ts';
import { rawNode } from '../../plan/fixtures.ts';
import { read } from '../fixtures.ts';
import type { Shape } from './shape.ts';

const labels = { 'kubernetes.io/os': 'linux' };

const csiNodeOf = (name: string): CSINode => ({ metadata: { name }, spec: { drivers: [] } });

/** What the manifests of a shape are read as. */
export const readingOf = ({ documents }: Shape): ManifestReading => read(documents.join('\n---\n'));

/** Its pods on a cluster of one node of 4 CPUs and 16 GiB in zone a, with a group of such nodes in each zone. */
export function planOfShape(shape: Shape): DrawnPlan {
  const { workloads, surroundings } = readingOf(shape);
  const { zones = ['a'] } = shape;
  return {
    cluster: {
      nodes: [rawNode('node-1', { labels })],
      csiNodes: [csiNodeOf('node-1')],
      pods: [],
      namespaces: ['default', 'shop'].map((name) => ({ metadata: { name } })),
      attachments: [],
      claims: [...surroundings.claims, ...workloads.flatMap(({ claims }) => claims)],
      volumes: [],
      classes: surroundings.storageClasses,
    },
    groups: zones.map((zone) => ({
      name: `workers-${zone}`,
      zones: [zone],
      mostNewNodes: 20,
      template: { node: rawNode('template', { labels }), csiNode: csiNodeOf('template') },
    })),
    daemonSets: surroundings.daemonSets,
    pods: workloads.flatMap(({ pods }) => pods),
    choices: [0],
  };
}
