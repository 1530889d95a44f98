import type { SimulatedInstance } from '@drover/cloud-sandbox/aws';
import type { KubeletOptions } from '@drover/cloud-sandbox/kubernetes';

/** Tags of a group by which a case says how its nodes are. */
export const nodeTags = {
  /** The label that its nodes bear, so that its pods run on them alone. */
  namespace: 'example.com/namespace',
  /** `never`: its instances run and never join. */
  joins: 'example.com/joins',
  /** What the names of its nodes begin with, instead of the private DNS name; or `instance-id`: that alone. */
  nodeName: 'example.com/node-name',
} as const;

/** How the node of an instance differs from the ordinary ones: the same in every world. Undefined: it never joins. */
export function configureNode({ tags, instanceId }: SimulatedInstance): Partial<KubeletOptions> | undefined {
  if (tags.get(nodeTags.joins) === 'never') return undefined;
  const namespace = tags.get(nodeTags.namespace) ?? '';
  const begin = tags.get(nodeTags.nodeName);
  return {
    labels: { [nodeTags.namespace]: namespace },
    ...(begin !== undefined && {
      nodeName: begin === 'instance-id' ? instanceId : `${begin}-${instanceId.slice(-4)}`,
    }),
  };
}
