import type { Ec2Instance } from '../groups/ec2.ts';
import { judgeMissing } from '../groups/missing-instance.ts';

/** The annotation of a Node whose instance neither EC2 nor Auto Scaling knows. Its value is the time of the first finding. */
export const missingAnnotation = 'drover.dev/instance-missing-since';

/**
 * What happens to a Node that has the name of a joining instance but belongs to another: `remove` it if its instance is gone, `mark` it if
 * its instance is missing for the first time, or `keep` it.
 */
export interface NamesakeVerdict {
  readonly kind: 'remove' | 'mark' | 'keep';
  /** One sentence for the operator. */
  readonly reason: string;
}

export interface NamesakeInput {
  /** The instance in its providerID; undefined if the providerID does not name one. */
  readonly ownerId: string | undefined;
  /** What EC2 answers for the owner. */
  readonly ec2: Pick<Ec2Instance, 'state'> | undefined;
  /** Whether Auto Scaling lists the owner. */
  readonly isInGroup: boolean;
  /** When a pass first found the owner missing, in epoch milliseconds; undefined if none has. */
  readonly missingSince: number | undefined;
  readonly now: number;
}

/** EC2 gives a private DNS name to only one instance at a time, so a Node of this name that belongs to a terminated instance is left over. */
export function judgeNamesake(input: NamesakeInput): NamesakeVerdict {
  const { ownerId, ec2, isInGroup, missingSince, now } = input;
  if (ownerId === undefined) return { kind: 'keep', reason: 'the node of its name has no providerID yet' };
  if (ec2?.state === 'terminated')
    return {
      kind: 'remove',
      reason: `the node of its name was left over from ${ownerId}, which is terminated`,
    };
  const reason = `the node of its name belongs to ${ownerId}`;
  if (ec2 || isInGroup) return { kind: 'keep', reason: `${reason}, which is ${ec2?.state ?? 'in a group'}` };
  const unknown = `${reason}, which neither EC2 nor Auto Scaling knows`;
  return { kind: kindOf[judgeMissing({ now, missingSince }).kind], reason: unknown };
}

const kindOf = { new: 'mark', unconfirmed: 'keep', gone: 'remove' } as const;
