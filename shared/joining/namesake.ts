import type { Ec2Instance } from '../groups/ec2.ts';
import { judgeMissing } from '../groups/missing-instance.ts';

/** On a Node whose instance neither EC2 nor Auto Scaling knows: since when. */
export const missingAnnotation = 'drover.dev/instance-missing-since';

/**
 * What becomes of the Node that has the name of a joining instance and belongs to another one: `remove` it, since its instance is gone;
 * `mark` it, since its instance is found missing for the first time; or `keep` it.
 */
export interface NamesakeVerdict {
  readonly kind: 'remove' | 'mark' | 'keep';
  /** One sentence for an operator. */
  readonly reason: string;
}

export interface NamesakeInput {
  /** By its providerID; undefined: the Node has none that names an instance. */
  readonly ownerId: string | undefined;
  /** EC2's answer for the owner. */
  readonly ec2: Pick<Ec2Instance, 'state'> | undefined;
  /** Auto Scaling lists the owner. */
  readonly isInGroup: boolean;
  /** Epoch milliseconds; undefined: no earlier pass found the owner missing. */
  readonly missingSince: number | undefined;
  readonly now: number;
}

/** Pure. EC2 gives a private DNS name to one instance at a time, so a Node under it that belongs to a terminated one is left over. */
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
