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
  /** When the Node was created; NaN if that cannot be read. */
  readonly createdAt: number;
  /** When the joining instance was launched; undefined if EC2 does not know it yet. */
  readonly launchedAt: number | undefined;
  /** Since when the node controller reports that the kubelet is silent; undefined if it reports, or never did. */
  readonly silentSince: number | undefined;
  readonly now: number;
}

/** EC2 gives a private DNS name to only one instance at a time, so a Node of this name that belongs to a terminated instance is left over. */
export function judgeNamesake(input: NamesakeInput): NamesakeVerdict {
  const { ownerId, ec2, isInGroup } = input;
  if (ownerId === undefined) return judgeNameless(input);
  if (ec2?.state === 'terminated')
    return {
      kind: 'remove',
      reason: `the node of its name was left over from ${ownerId}, which is terminated`,
    };
  const reason = `the node of its name belongs to ${ownerId}`;
  if (ec2 || isInGroup) return { kind: 'keep', reason: `${reason}, which is ${ec2?.state ?? 'in a group'}` };
  return { kind: kindAt(input), reason: `${reason}, which neither EC2 nor Auto Scaling knows` };
}

/** The clock of the API server and that of EC2 may differ by less than this. */
const skewMilliseconds = 60_000;

/**
 * A Node without a providerID. The joining instance cannot have made one that is older than its launch, and if no kubelet reports for it,
 * no other machine uses it (kubernetes/cloud-provider-aws#1471). Both must still be so minutes later.
 */
function judgeNameless(input: NamesakeInput): NamesakeVerdict {
  const { createdAt, launchedAt = Number.NaN, silentSince } = input;
  const isOlder = createdAt + skewMilliseconds < launchedAt;
  if (!isOlder) return { kind: 'keep', reason: 'the node of its name has no providerID yet' };
  const reason = 'the node of its name is older than the launch and has no providerID';
  if (silentSince === undefined)
    return {
      kind: 'keep',
      reason: `${reason}; it is kept, because its kubelet is not reported silent: delete it with kubectl if no machine uses it`,
    };
  return { kind: kindAt(input), reason: `${reason}, and its kubelet is silent` };
}

/**
 * A kubelet can write the annotation of its own Node, so the recorded finding counts only if a pass could have written it: while the
 * Node and the joining instance existed, and the kubelet was silent without a break.
 */
function kindAt({
  now,
  missingSince = Number.NaN,
  createdAt,
  launchedAt = 0,
  silentSince = 0,
}: NamesakeInput): NamesakeVerdict['kind'] {
  const isBelieved = missingSince >= Math.max(createdAt || 0, launchedAt, silentSince);
  return kindOf[judgeMissing({ now, missingSince: isBelieved ? missingSince : undefined }).kind];
}

const kindOf = { new: 'mark', unconfirmed: 'keep', gone: 'remove' } as const;
