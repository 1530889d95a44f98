import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../../base/message-of.ts';
import { isAboutAnotherObject } from '../../draining/cluster-failure.ts';
import type { JoiningContext } from '../context.ts';
import { templatePatch } from '../node-template.ts';
import type { ClusterObserved, Joining } from '../state.ts';

export interface TemplateApplied extends Pick<ClusterObserved, 'node'> {
  /** Why the Node could not get its labels and taints: it does not serve without them. */
  readonly templateFailure?: string;
}

/**
 * Gives the Node the labels and taints that the tags of its group promise, as soon as it exists, where the group asks for that. A
 * kubelet may not set labels such as node-role.kubernetes.io itself.
 */
export async function applyNodeTemplate(
  { cluster, reportError }: JoiningContext,
  { node, group, settings }: Joining & ClusterObserved,
): Promise<TemplateApplied> {
  const patch = node && settings.appliesNodeTemplate ? templatePatch(node, group.tags) : undefined;
  if (!node || !patch) return { node };
  try {
    return { node: await cluster.patchNode(nameOf(node), patch) };
  } catch (error) {
    if (isAboutAnotherObject(error)) throw error;
    reportError(`node ${nameOf(node)} could not be given the labels and taints of its group`, error);
    return { node, templateFailure: messageOf(error) };
  }
}

const nameOf = ({ metadata }: Node): string => metadata?.name ?? '';
