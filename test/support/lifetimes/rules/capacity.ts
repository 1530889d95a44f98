import { holdParameters, paths } from '../../../../local/world/holds.ts';
import { readFloorRecord } from '../../../../shared/capacity/holds/floor-record.ts';
import { floorParameterOf, holdsOfGroup } from '../../../../shared/capacity/holds/parameters.ts';
import { pauseOf } from '../../../../shared/passes/pause.ts';
import type { Call } from '../watch/call.ts';
import type { BookedHold } from '../watch/capacity-book.ts';
import { isManagedGroup, time } from './facts.ts';
import type { Finding, Rule, View } from './rule.ts';
import { keepsHeartbeats, killedMilliseconds } from './waits.ts';

/** Time for a run of `prewarm` each minute, two passes, and its clock, which is off by at most 90 s. */
const actedMilliseconds = 300_000;
const clockMilliseconds = 91_000;
/** A pass goes on with what it has read for as long as its calls take. */
const passMilliseconds = 60_000;
const maxSizeLimit = 100;

export const floorsAreKept: Rule = {
  name: 'floors-are-kept',
  sentence:
    'MinSize is at least what every active hold asks for, from minutes after the last disturbance on.',
  onMoment: (view) => {
    if (view.spellsSince(view.now - killedMilliseconds).some(keepsHeartbeats)) return undefined;
    for (const { autoScalingGroupName } of view.plan.groups) {
      const holds = view.capacity.holdsOf(autoScalingGroupName).filter((hold) => mustBeKept(hold, view));
      if (holds.length === 0 || isPausedLately(view, autoScalingGroupName)) continue;
      if (view.capacity.basesOf(autoScalingGroupName).some(({ at }) => view.now - at < actedMilliseconds))
        continue;
      const { minSize } = view.capacity.boundsOf(autoScalingGroupName);
      const { maxSize } = view.capacity.baseOf(autoScalingGroupName);
      const broken = holds.find((hold) => minSize < askedOf(hold, maxSize));
      if (broken)
        return `${broken.name} asks ${autoScalingGroupName} for ${broken.nodes}, and MinSize is ${minSize}`;
    }
    return undefined;
  },
};

const mustBeKept = ({ from, changedAt, until }: BookedHold, { now }: View): boolean =>
  Math.max(from, changedAt) + actedMilliseconds <= now && now < until - clockMilliseconds;

/** What a hold is given at most: what it asks for, within MaxSize unless it raises it. */
export const askedOf = ({ nodes, raiseMaxSize }: BookedHold, baseMaxSize: number): number =>
  Math.min(nodes, raiseMaxSize ? Math.max(baseMaxSize, maxSizeLimit) : baseMaxSize);

const isPausedLately = ({ census, now }: View, name: string): boolean =>
  census.tagsSince(name, now - actedMilliseconds).some((tags) => pauseOf(tags) !== undefined);

export const boundsLoweredOnRecord: Rule = {
  name: 'bounds-lowered-on-record',
  sentence:
    'MinSize is lowered only with a readable record of the base, and never below the base or an active hold. MaxSize is never lowered below the desired capacity.',
  onCall: (call, view) => (call.kind === 'set-bounds' ? faultOfLowering(call, view) : undefined),
};

/** What is wrong with a change of bounds by Drover. */
export function faultOfLowering(
  { autoScalingGroupName: name, minSize, maxSize }: Extract<Call, { readonly kind: 'set-bounds' }>,
  view: Pick<View, 'now' | 'world' | 'capacity'>,
): Finding {
  const current = view.capacity.boundsOf(name);
  if (maxSize !== undefined && maxSize < current.maxSize && maxSize < current.desiredCapacity)
    return `MaxSize of ${name} falls to ${maxSize}, and ${current.desiredCapacity} are desired`;
  if (minSize === undefined || minSize >= current.minSize) return undefined;
  const record = readFloorRecord(view.world.account.ssm.controls.value(floorParameterOf(paths, name)));
  if (record.kind !== 'record') return `MinSize of ${name} falls to ${minSize} without a record`;
  if (minSize < record.record.minSize.base) return `MinSize of ${name} falls to ${minSize}, below its base`;
  const broken = view.capacity
    .holdsOf(name)
    .filter((hold) => surelyStands(hold, view.now))
    .find((hold) => minSize < askedOf(hold, Math.min(...lateMaxSizes(view, name))));
  return (
    broken &&
    `MinSize of ${name} falls to ${minSize}, and ${broken.name} asks for ${broken.nodes} until ${time(broken.until)}`
  );
}

const surelyStands = ({ from, changedAt, until }: BookedHold, now: number): boolean =>
  Math.max(from, changedAt) + passMilliseconds <= now && now < until - clockMilliseconds;

/** The MaxSizes that a pass may have read. */
const lateMaxSizes = ({ capacity, now }: Pick<View, 'now' | 'capacity'>, name: string): readonly number[] => [
  capacity.baseOf(name).maxSize,
  ...capacity
    .basesOf(name)
    .flatMap(({ maxSize }, index, all) =>
      (all[index + 1]?.at ?? now) > now - passMilliseconds ? [maxSize] : [],
    ),
];

export const lossesAreSaid: Rule = {
  name: 'losses-are-said',
  sentence:
    'A record of the bounds that is lost while a hold is active is reported as lost within minutes, until another tool sets MinSize; no other record is.',
  onMoment: (view) => {
    for (const { autoScalingGroupName: name } of view.plan.groups) {
      const text = view.world.account.ssm.controls.value(floorParameterOf(paths, name));
      const reading = readFloorRecord(text);
      const isReported = reading.kind === 'record' && reading.record.lost === true;
      const lostAt = view.capacity.recordLostAt(name);
      if (isReported && lostAt === undefined)
        return `the record of ${name} is reported as lost, and never was`;
      if (lostAt !== undefined && !isReported && mustBeReported(view, { name, lostAt }))
        return `the record of ${name} was lost at ${time(lostAt)}, and nothing reports it`;
    }
    return undefined;
  },
};

function mustBeReported(
  view: View,
  { name, lostAt }: { readonly name: string; readonly lostAt: number },
): boolean {
  if (view.now - lostAt < actedMilliseconds || view.capacity.baseOf(name).at > lostAt) return false;
  if (isPausedLately(view, name) || view.spellsSince(lostAt - killedMilliseconds).length > 0) return false;
  return view.capacity
    .holdsOf(name)
    .some((hold) => hold.changedAt + actedMilliseconds < lostAt && mustBeKept(hold, view));
}

export const foreignBoundsKept: Rule = {
  name: 'foreign-bounds-kept',
  sentence: 'Drover never changes the bounds of a group that it does not manage.',
  onCall: (call, view) =>
    call.kind === 'set-bounds' && !isManagedGroup(view, call.autoScalingGroupName)
      ? `the bounds of ${call.autoScalingGroupName} are changed`
      : undefined,
};

export const basesComeBack: Rule = {
  name: 'bases-come-back',
  sentence:
    'Once the holds are over, MinSize and MaxSize are what other tools have set, and no parameter is left.',
  atEnd: (view) => {
    for (const { autoScalingGroupName: name } of view.plan.groups) {
      const finding = leftOf(view, name);
      if (finding !== undefined) return finding;
    }
    return undefined;
  },
};

/** What is not as it was before the holds of a group. */
export function leftOf({ world, capacity }: Pick<View, 'world' | 'capacity'>, name: string): Finding {
  const { minSize, maxSize, desiredCapacity } = capacity.boundsOf(name);
  const base = capacity.baseOf(name);
  if (minSize !== base.minSize) return `MinSize of ${name} is ${minSize}, and its base ${base.minSize}`;
  // The record stays while MaxSize waits for the desired capacity to fit.
  if (maxSize > base.maxSize && desiredCapacity > base.maxSize) return undefined;
  if (maxSize !== base.maxSize) return `MaxSize of ${name} is ${maxSize}, and its base ${base.maxSize}`;
  const prefixes = [holdsOfGroup(paths, name), floorParameterOf(paths, name)];
  const left = holdParameters(world).filter((parameter) =>
    prefixes.some((prefix) => parameter === prefix || parameter.startsWith(`${prefix}/`)),
  );
  return left.length > 0 ? `${left.join(', ')} are left` : undefined;
}
