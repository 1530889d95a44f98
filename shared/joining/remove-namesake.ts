import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isDenied } from '../draining/cluster-failure.ts';
import { isKubeletSilent, readyConditionOf } from '../nodes/node-condition.ts';
import { identityOfNode, instanceIdOf } from '../nodes/node-names.ts';
import type { ClusterObserved, Joining, JoiningContext } from './context.ts';
import { judgeNamesake, missingAnnotation, type NamesakeVerdict } from './namesake.ts';

export interface NamesakeJudged {
  /** Why another Node has the name of the instance, and what was done about it. */
  readonly namesakeReason?: string;
}

/**
 * Deletes the Node of a terminated instance that had the same name, or one without a providerID that no machine uses: while it exists, the new kubelet can neither get a certificate nor
 * register. The Node of a stopped instance is kept.
 */
export async function removeNamesake(
  context: JoiningContext,
  { node, namesake, ec2 }: ClusterObserved & Pick<Joining, 'ec2'>,
): Promise<NamesakeJudged> {
  if (node || !namesake) return {};
  const verdict = await judge(context, namesake, ec2?.launchedAt);
  try {
    return { namesakeReason: await carryOut(context, namesake, verdict) };
  } catch (error) {
    if (!isDenied(error)) throw error;
    return { namesakeReason: `${verdict.reason}, and cannot be changed: ${messageOf(error)}` };
  }
}

async function judge(
  { ec2, autoScaling, clock }: JoiningContext,
  node: Node,
  launchedAt: number | undefined,
): Promise<NamesakeVerdict> {
  const { spec, metadata } = node;
  const ownerId = instanceIdOf(spec?.providerID);
  const [instance, member] =
    ownerId === undefined
      ? []
      : await Promise.all([
          ec2.describeInstance(ownerId),
          autoScaling.describeInstance(ownerId, clock.now()),
        ]);
  const missing = metadata?.annotations?.[missingAnnotation];
  const silence = isKubeletSilent(node)
    ? Date.parse(readyConditionOf(node)?.lastTransitionTime ?? '')
    : Number.NaN;
  return judgeNamesake({
    ownerId,
    ec2: instance,
    isInGroup: member !== undefined,
    missingSince: missing === undefined ? undefined : Date.parse(missing),
    createdAt: Date.parse(metadata?.creationTimestamp ?? ''),
    launchedAt,
    silentSince: Number.isNaN(silence) ? undefined : silence,
    now: clock.now(),
  });
}

/** Because of the UID, the API server refuses both changes if another Node has the name by then. */
async function carryOut(
  { cluster, clock }: JoiningContext,
  node: Node,
  { kind, reason }: NamesakeVerdict,
): Promise<string> {
  const { name, uid } = identityOfNode(node);
  if (kind === 'keep') return reason;
  if (kind === 'mark') {
    const annotations = { [missingAnnotation]: new Date(clock.now()).toISOString() };
    await cluster.patchNode(name, { metadata: { uid, annotations } });
    return `${reason}; if that is still true in five minutes, that node is deleted`;
  }
  await cluster.deleteNode({ name, uid });
  return `${reason}: that node is deleted`;
}
