import type { SimulatedInstance } from '@drover/cloud-sandbox/aws';
import type { KubeletOptions } from '@drover/cloud-sandbox/kubernetes';

/** Tags of a group with which a case configures its nodes. */
export const nodeTags = {
  /** The value of the label of its nodes, so that its pods run only on them. */
  namespace: 'example.com/namespace',
  /** `never`: its instances run and never join. */
  joins: 'example.com/joins',
  /** What the names of its nodes begin with, instead of the private DNS name; `instance-id` for only the id. */
  nodeName: 'example.com/node-name',
} as const;

/** How the node of an instance differs from ordinary ones, in every world. undefined if it never joins. */
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
