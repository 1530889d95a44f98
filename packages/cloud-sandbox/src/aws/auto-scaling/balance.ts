import { groupBy } from '../../simulation/group-by.ts';
import type { Member, MemberTemplate } from './model.ts';

/** Zones by how few instances they have; the order of the group decides between equals. */
export function zonesForLaunch<T extends { readonly availabilityZone: string }>(
  places: readonly T[],
  byZone: ReadonlyMap<string, number>,
): T[] {
  const size = (place: T): number => byZone.get(place.availabilityZone) ?? 0;
  return [...places].sort((one, other) => size(one) - size(other));
}

export interface VictimChoice {
  /** Members that may be chosen; protected ones are left out here. */
  readonly candidates: readonly Member[];
  /** So much is to go; an instance that weighs more than the rest stays. */
  readonly units: number;
  readonly weightOf: (member: Member) => number;
  readonly byZone: ReadonlyMap<string, number>;
  readonly policies: readonly string[];
  readonly currentTemplateId: string | undefined;
  readonly now: number;
  /** In [0, 1), for choices that no policy decides. */
  readonly chance: () => number;
}

/**
 * Chooses the instances of a scale-in: from the zone with the most instances, then by the group's policies in their order.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-termination-policies.html
 */
export function chooseVictims(choice: VictimChoice): Member[] {
  const queues = rankedByZone(choice);
  const sizes = new Map(choice.byZone);
  const victims: Member[] = [];
  let left = choice.units;
  while (left > 0) {
    const zone = largestZone(queues, sizes);
    const victim = zone === undefined ? undefined : queues.get(zone)?.pop();
    if (zone === undefined || victim === undefined) break;
    const weight = choice.weightOf(victim);
    if (weight > left) continue;
    left -= weight;
    sizes.set(zone, (sizes.get(zone) ?? weight) - weight);
    victims.push(victim);
  }
  return victims;
}

/** Each zone's candidates, the first to go last, so that `pop` takes it. */
function rankedByZone(choice: VictimChoice): Map<string, Member[]> {
  const free = choice.candidates.filter((member) => !member.protectedFromScaleIn);
  const ranks = new Map(free.map((member) => [member, choice.chance()]));
  const order = comparatorOf(choice);
  const compare = (one: Member, other: Member): number =>
    order(one, other) || (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0);
  const zones = groupBy(free, (member) => member.availabilityZone);
  for (const members of zones.values()) members.sort(compare).reverse();
  return zones;
}

function largestZone(
  queues: ReadonlyMap<string, readonly Member[]>,
  sizes: ReadonlyMap<string, number>,
): string | undefined {
  const open = [...queues].filter(([, members]) => members.length > 0).map(([zone]) => zone);
  return open.reduce<string | undefined>(
    (best, zone) => (best === undefined || (sizes.get(zone) ?? 0) > (sizes.get(best) ?? 0) ? zone : best),
    undefined,
  );
}

type Comparator = (one: Member, other: Member) => number;

function comparatorOf(choice: VictimChoice): Comparator {
  const policies = choice.policies.length === 0 ? ['Default'] : choice.policies;
  const comparators = [inServiceFirst, ...policies.flatMap((policy) => comparatorsOf(policy, choice))];
  return (one, other) => comparators.reduce((result, compare) => result || compare(one, other), 0);
}

/** Instances that still launch stay: the launch would only be repeated. */
const inServiceFirst: Comparator = (one, other) =>
  Number(other.state === 'InService') - Number(one.state === 'InService');

const oldestFirst: Comparator = (one, other) => one.launchedAt - other.launchedAt;
const oldestVersionFirst: Comparator = (one, other) =>
  version(one.launchTemplate) - version(other.launchTemplate);
const version = (template: MemberTemplate | undefined): number => Number(template?.Version ?? 0);

function comparatorsOf(policy: string, choice: VictimChoice): Comparator[] {
  const otherTemplateFirst: Comparator = (one, other) =>
    Number(other.launchTemplate?.LaunchTemplateId !== choice.currentTemplateId) -
    Number(one.launchTemplate?.LaunchTemplateId !== choice.currentTemplateId);
  const closestToHour: Comparator = (one, other) =>
    untilNextHour(one, choice.now) - untilNextHour(other, choice.now);
  switch (policy) {
    case 'OldestInstance':
      return [oldestFirst];
    case 'NewestInstance':
      return [(one, other) => oldestFirst(other, one)];
    case 'OldestLaunchTemplate':
      return [otherTemplateFirst, oldestVersionFirst];
    case 'ClosestToNextInstanceHour':
      return [closestToHour];
    case 'Default':
      return [otherTemplateFirst, oldestVersionFirst, closestToHour];
    default:
      return [];
  }
}

const hour = 3_600_000;
const untilNextHour = (member: Member, now: number): number => hour - ((now - member.launchedAt) % hour);
