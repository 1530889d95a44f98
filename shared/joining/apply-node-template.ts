import { messageOf } from '../base/message-of.ts';
import { isAboutAnotherObject } from '../draining/cluster-failure.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { ClusterObserved, Joining, JoiningContext } from './context.ts';
import { templatePatch, unreadTaints } from './node-template.ts';

export interface TemplateApplied extends Pick<ClusterObserved, 'node'> {
  /** Why the Node could not get its labels and taints. It does not serve without them. */
  readonly templateFailure?: string;
}

/**
 * Gives the Node the labels and taints in the tags of its group, as soon as the Node exists, if the group is configured for it. A kubelet
 * itself may not set labels such as node-role.kubernetes.io.
 */
export async function applyNodeTemplate(
  { cluster, reportError }: JoiningContext,
  { node, group, settings }: Joining & ClusterObserved,
): Promise<TemplateApplied> {
  if (!node || !settings.appliesNodeTemplate) return { node };
  // Without a taint that its group declares, it would run pods that the taint keeps away.
  const unread = unreadTaints(group.tags).map(({ problem }) => problem);
  const failure = unread.length > 0 && { templateFailure: unread.join('; ') };
  const patch = templatePatch(node, group.tags);
  if (!patch) return { node, ...failure };
  try {
    return { node: await cluster.patchNode(nameOfNode(node), patch), ...failure };
  } catch (error) {
    if (isAboutAnotherObject(error)) throw error;
    reportError(`node ${nameOfNode(node)} could not be given the labels and taints of its group`, error);
    return { node, templateFailure: messageOf(error) };
  }
}
