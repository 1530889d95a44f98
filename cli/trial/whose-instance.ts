import { shellWord } from '../../shared/base/shell-words.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { endHold, holdSeconds } from './hold-step.ts';
import type { TrialRecord } from './record.ts';
import { isLeaving, memberOf, newcomersIn, type Trial } from './trial-state.ts';
import { StepFailure, until, type Verdict, type WaitContext } from './wait.ts';

/**
 * What is left of a trial in its group:
 * - `none`: no instance is known to be the trial's;
 * - `extra`: this instance is, and the group is larger by it;
 * - `member`: this instance is, and the group is not larger than before, because another one has left.
 */
export type Claim =
  | { readonly kind: 'none' }
  | { readonly kind: 'extra' | 'member'; readonly instanceId: string };

export interface ClaimFacts {
  readonly group: AutoScalingGroup;
  readonly record: TrialRecord;
  /** The process that made the trial asks, and not a later one. */
  readonly isOwnRun: boolean;
  /** AWS has accepted the termination of the recorded instance. */
  readonly isTerminated: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** MinSize is what it was some minutes after the end of the hold. */
const claimMilliseconds = (holdSeconds + 300) * 1000;

/**
 * Whose instance is extra. An instance that is not recorded is the trial's only if the group is larger by one and has no other new one, and if it was either launched
 * while the hold kept MinSize up, or instead of the recorded one, which has left without this command. Pure.
 *
 * @throws StepFailure if the group is larger and it is not certain why.
 */
export function claimIn({ group, record, isOwnRun, isTerminated, now }: ClaimFacts): Verdict<Claim> {
  const { desiredCapacity, instanceId, heldAt, terminatingSince } = record;
  const recorded = memberOf(group, instanceId);
  const isLarger = group.desiredCapacity > desiredCapacity;
  if (recorded && !isLeaving(recorded))
    return { done: { kind: isLarger ? 'extra' : 'member', instanceId: recorded.instanceId } };
  if (!isLarger || isTerminated || heldAt === undefined) return { done: { kind: 'none' } };
  const [newcomer, ...others] = newcomersIn(group, record).filter((member) => !isLeaving(member));
  const sizes = `the desired capacity is ${group.desiredCapacity}, and was ${desiredCapacity}`;
  const isRaised = instanceId !== undefined || group.minSize > desiredCapacity;
  const isLate = !isOwnRun && now > Date.parse(heldAt) + claimMilliseconds;
  const isByOthers = others.length > 0 || group.desiredCapacity > desiredCapacity + 1;
  if (isByOthers || terminatingSince !== undefined || (newcomer && (isLate || !isRaised)))
    throw new StepFailure(
      `${sizes}, and whether an instance was launched for the trial is unknown`,
      'Look at the new instances, and terminate one with --should-decrement-desired-capacity if nothing needs it',
    );
  return newcomer
    ? { done: { kind: 'extra', instanceId: newcomer.instanceId } }
    : { waits: `${sizes}, and Auto Scaling has launched no instance yet` };
}

/** What AWS describes may be this old. */
const staleMilliseconds = 30_000;
/** A run of prewarm that has read the hold before its end may raise MinSize this long after it. */
const lateRunMilliseconds = 100_000;
const launchSeconds = 300;

/** Waits until it is certain what is left of the trial in the group. */
export async function awaitClaim(trial: Trial, context: WaitContext): Promise<Claim> {
  const { access, record, seen } = trial;
  const { group: name, desiredCapacity, heldAt, instanceId } = record();
  const settlesIn = instanceId === undefined ? lateRunMilliseconds : staleMilliseconds;
  const settledAt = context.clock.now() + (heldAt === undefined || seen.isTerminated ? 0 : settlesIn);
  return await until(
    {
      withinSeconds: launchSeconds,
      everySeconds: 10,
      look: async () => {
        // A hold whose creation got no answer may come late.
        if (heldAt !== undefined && instanceId === undefined) await endHold(trial);
        return await access.readGroup(name);
      },
      judge: (group): Verdict<Claim> => {
        const now = context.clock.now();
        if (!group) return { done: { kind: 'none' } };
        const verdict = claimIn({ group, record: record(), ...seen, now });
        const isNone = 'done' in verdict && verdict.done.kind === 'none';
        return isNone && now < settledAt
          ? { waits: 'the group is as large as before, and it is read again until that is certain' }
          : verdict;
      },
      remedy: `Once no instance is launching, run: aws autoscaling set-desired-capacity --auto-scaling-group-name ${shellWord(name)} --desired-capacity ${desiredCapacity}`,
    },
    context,
  );
}
