import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../../base/message-of.ts';
import { isDenied } from '../../draining/cluster-failure.ts';
import { instanceIdOf } from '../../nodes/node-names.ts';
import type { JoiningContext } from '../context.ts';
import { judgeNamesake, missingAnnotation, type NamesakeVerdict } from '../namesake.ts';
import type { ClusterObserved } from '../state.ts';

export interface NamesakeJudged {
  /** Why another Node has the name of the instance, and what was done about it. */
  readonly namesakeWords?: string;
}

/**
 * Removes the Node of the instance's name that is left over from a terminated one: the new kubelet can neither get a certificate nor
 * register while it is there. That of a stopped instance stays.
 */
export async function removeNamesake(
  context: JoiningContext,
  { node, namesake }: ClusterObserved,
): Promise<NamesakeJudged> {
  if (node || !namesake) return {};
  const verdict = await judge(context, namesake);
  try {
    return { namesakeWords: await carryOut(context, namesake, verdict) };
  } catch (error) {
    if (!isDenied(error)) throw error;
    return { namesakeWords: `${verdict.reason}, and cannot be changed: ${messageOf(error)}` };
  }
}

async function judge(
  { ec2, autoScaling, clock }: JoiningContext,
  { spec, metadata }: Node,
): Promise<NamesakeVerdict> {
  const ownerId = instanceIdOf(spec?.providerID);
  const [instance, member] =
    ownerId === undefined
      ? []
      : await Promise.all([
          ec2.describeInstance(ownerId),
          autoScaling.describeInstance(ownerId, clock.now()),
        ]);
  const missing = metadata?.annotations?.[missingAnnotation];
  return judgeNamesake({
    ownerId,
    ec2: instance,
    isInGroup: member !== undefined,
    missingSince: missing === undefined ? undefined : Date.parse(missing),
    now: clock.now(),
  });
}

/** The UID makes the API server refuse both for another Node that has the name by now. */
async function carryOut(
  { cluster, clock }: JoiningContext,
  { metadata }: Node,
  { kind, reason }: NamesakeVerdict,
): Promise<string> {
  const { name = '', uid = '' } = metadata ?? {};
  if (kind === 'keep') return reason;
  if (kind === 'mark') {
    const annotations = { [missingAnnotation]: new Date(clock.now()).toISOString() };
    await cluster.patchNode(name, { metadata: { uid, annotations } });
    return `${reason}; if that is still so in five minutes, that node is deleted`;
  }
  await cluster.deleteNode({ name, uid });
  return `${reason}: that node is deleted`;
}
