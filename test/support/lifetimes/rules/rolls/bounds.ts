import type { Resident } from '../../watch/census.ts';
import { residentOf } from '../facts.ts';
import type { Finding, Rule, View } from '../rule.ts';
import {
  clockMilliseconds,
  isBeingTaken,
  isOldFor,
  isReadyAsKnown,
  isTaking,
  launchedAt,
  nodeOf,
  passMilliseconds,
  roleOf,
  rollsOf,
} from './facts.ts';

const onTaking =
  (judge: (resident: Resident, view: View) => Finding): NonNullable<Rule['onCall']> =>
  (call, view) => {
    const resident = isTaking(call) ? residentOf(view, call) : undefined;
    // A call that is repeated takes no other instance.
    if (resident === undefined || view.rolls.takenAt(resident.instanceId) !== undefined) return undefined;
    const finding = judge(resident, view);
    return (
      finding && `${resident.instanceId} of ${resident.autoScalingGroupName} is replaced, and ${finding}`
    );
  };

const membersOf = (names: readonly string[], { census }: View): readonly Resident[] =>
  census
    .all()
    .filter(
      ({ autoScalingGroupName, lifecycleState }) =>
        names.includes(autoScalingGroupName) && lifecycleState !== undefined,
    );

/** It serves, or did a moment ago, as far as a pass may know. An old one counts although its Node is not Ready: its turn comes first. */
function isPresent(resident: Resident, view: View): boolean {
  const { lifecycleState = '', leavingSince, autoScalingGroupName } = resident;
  const leavesLately = leavingSince !== undefined && view.now - leavingSince < passMilliseconds;
  if (lifecycleState.startsWith('Terminating')) return leavesLately && !isBeingTaken(resident, view);
  if (lifecycleState !== 'InService' || isBeingTaken(resident, view)) return false;
  const isOld = rollsOf(autoScalingGroupName, view).some((roll) => isOldFor(roll, resident, view));
  return isOld || isReadyAsKnown(resident, view);
}

/** How many instances the group lacks beside this one, by what it should have had at least lately. */
const lacking = (name: string, except: Resident, view: View): number =>
  view.rolls.leastDesired(name, view.now - passMilliseconds) -
  membersOf([name], view).filter((one) => one !== except && isPresent(one, view)).length;

export const rollsKeepTheirBounds: Rule = {
  name: 'rolls-keep-their-bounds',
  sentence:
    'Of a group of workers at most surge and max-unavailable together are replaced or missing when a roll takes the next one.',
  onCall: onTaking((resident, view) => {
    const { autoScalingGroupName: name } = resident;
    if (roleOf(view, name) !== 'worker') return undefined;
    const bound = Math.max(...rollsOf(name, view).map(({ surge, maxUnavailable }) => surge + maxUnavailable));
    const taken = membersOf([name], view).filter((one) => one !== resident && isBeingTaken(one, view));
    if (taken.length + 1 > bound) return `${taken.length} others are, where ${bound} may`;
    const missing = lacking(name, resident, view);
    return missing > bound ? `${missing} are missing, where ${bound} may` : undefined;
  }),
};

export const oneControlPlane: Rule = {
  name: 'one-control-plane-at-a-time',
  sentence:
    'A roll replaces an instance of a control plane only while all others of all its groups are there and serve.',
  onCall: onTaking((resident, view) => {
    if (roleOf(view, resident.autoScalingGroupName) !== 'control-plane') return undefined;
    const names = view.plan.groups
      .filter(({ role }) => role === 'control-plane')
      .map(({ autoScalingGroupName }) => autoScalingGroupName);
    const others = membersOf(names, view).filter((one) => one !== resident);
    const taken = others.find((one) => isBeingTaken(one, view));
    if (taken) return `${taken.instanceId} is ${taken.lifecycleState}`;
    const silent = others.find((one) => one.lifecycleState === 'InService' && !isReadyAsKnown(one, view));
    if (silent) return `${silent.instanceId} has no Ready Node`;
    const short = names.find((name) => {
      const own = name === resident.autoScalingGroupName ? 1 : 0;
      return lacking(name, resident, view) > own;
    });
    return short && `${short} lacks an instance`;
  }),
};

export const canaryFirst: Rule = {
  name: 'canary-first',
  sentence:
    'A roll takes no more instances of a group than its canary until a new node has been Ready for as long as the canary bakes.',
  onCall: onTaking(({ autoScalingGroupName: name }, view) => {
    for (const roll of rollsOf(name, view)) {
      const all = view.census.all().filter((one) => one.autoScalingGroupName === name);
      const begun = all.filter(
        (one) =>
          (view.rolls.takenAt(one.instanceId) ?? 0) >= roll.startedAt && one.lifecycleState !== 'InService',
      );
      const fresh = all.filter((one) => launchedAt(one, view) >= roll.startedAt);
      if (roll.canary === 0 || begun.length < roll.canary) return undefined;
      if (fresh.some((one) => hasBaked(one, roll.bakeSeconds, view))) return undefined;
      // With a lower desired capacity nothing is launched.
      if (view.rolls.wasLowered(name, roll.startedAt)) return undefined;
    }
    const [roll] = rollsOf(name, view);
    return roll && `the canary of ${roll.name} has not baked`;
  }),
};

/** One that has gone since may have. A Node may be Ready a little before its launch hook is completed. */
function hasBaked(resident: Resident, bakeSeconds: number, view: View): boolean {
  const { lifecycleState } = resident;
  if (lifecycleState === undefined) return true;
  if (lifecycleState !== 'InService' && !lifecycleState.startsWith('Pending')) return false;
  const ready = nodeOf(resident, view)?.status?.conditions?.find(({ type }) => type === 'Ready');
  const since = Date.parse(ready?.lastTransitionTime ?? '');
  return view.now - since >= bakeSeconds * 1000 - clockMilliseconds(view) - 2000;
}
