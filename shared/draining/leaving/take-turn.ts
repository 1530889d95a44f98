import { type AutoScalingGroup, type GroupInstance, isManaged } from '../../lifecycle/group.ts';
import { readLeavingSettings } from '../../lifecycle/group-settings.ts';
import { again, type Outcome } from '../../lifecycle/outcome.ts';
import { readLeavingMark } from '../leaving-mark.ts';
import { leavingLabel } from '../node-keys.ts';
import { isWaiting, membersOf, waitingOf } from './members.ts';
import type { Leaver, Turn, TurnInput } from './places.ts';
import type { LeaveTerms } from './terms.ts';
import { turnOf } from './turn.ts';
import { spanBeganAt, turnUnseen } from './turn-unseen.ts';
import type { LeavingWorld } from './world.ts';

/** While others leave, those behind them look again after so long; a spot warning must not wait longer behind this one. */
const turnSeconds = 20;

/** Undefined when the node may begin to leave now; otherwise what to answer until it may. */
export async function takeTurn(world: LeavingWorld, terms: LeaveTerms): Promise<Outcome | undefined> {
  if (terms.mustHurry || hasBegun(world, terms)) return undefined;
  const groups = await groupsThatSee(world, terms);
  const waits = terms.hook !== undefined || isWaiting(terms.instance);
  const waiting = waits ? withMyself(waitingIn(groups), terms) : waitingIn(groups);
  if (waiting.length === 1 && terms.hook) return undefined;
  const maxima = new Map(groups.map((group) => [group.autoScalingGroupName, maxLeavingOf(world, group)]));
  const maxInGroup = (name: string): number => maxima.get(name) ?? world.settings.defaults.maxLeaving;
  const { maxLeavingPerCluster: maxInCluster } = world.settings;
  if (allMayLeaveAtOnce(groups, { maxInGroup, maxInCluster })) return undefined;
  const input: TurnInput = {
    instanceId: terms.instance.instanceId,
    begun: await begunIn(world, groups, waits ? undefined : spanBeganAt(world.clock.now())),
    waiting,
    maxInGroup,
    maxInCluster,
  };
  const turn = waits
    ? turnOf(input)
    : turnUnseen({ ...input, members: everyone(groups, terms), now: world.clock.now() });
  return turn.mayLeave ? undefined : notYet(turn);
}

function notYet({ ahead, afterSeconds = Infinity }: Extract<Turn, { mayLeave: false }>): Outcome {
  const reason =
    afterSeconds < Infinity
      ? 'others may leave first, one after another, and then it is its turn'
      : `as many nodes as may are leaving already; ${ahead} more are ahead of it`;
  return again(Math.min(turnSeconds, afterSeconds), reason, { waitsFor: 'turn' });
}

/** There are not even so many instances as may leave at once: who has begun need not be asked. */
function allMayLeaveAtOnce(
  groups: readonly AutoScalingGroup[],
  { maxInGroup, maxInCluster }: Pick<TurnInput, 'maxInGroup' | 'maxInCluster'>,
): boolean {
  const inAll = groups.reduce((sum, group) => sum + membersOf(group).size, 0);
  return (
    inAll <= maxInCluster &&
    groups.every((group) => membersOf(group).size <= maxInGroup(group.autoScalingGroupName))
  );
}

/** For a list without the one that asks: it was read before its wait began, and before that of everyone told with it. */
const secondsToShare = 1;

/** A list that knows nothing of this wait would let everyone who was told in the same moment believe to be alone. */
async function groupsThatSee(
  world: LeavingWorld,
  { instance, hook }: LeaveTerms,
): Promise<AutoScalingGroup[]> {
  const list = async (notBefore?: number): Promise<AutoScalingGroup[]> =>
    (await world.autoScaling.listGroups(notBefore)).filter((group) =>
      isManaged(group, world.settings.clusterName),
    );
  const groups = await list();
  const isSeen = waitingIn(groups).some(({ instanceId }) => instanceId === instance.instanceId);
  return isSeen || !hook ? groups : await list(world.clock.now() - secondsToShare * 1000);
}

/** Known without asking where this Lambda has marked the Node itself, moments ago. */
function hasBegun(world: LeavingWorld, { instance }: LeaveTerms): boolean {
  const node = world.memory.recall(instance.instanceId)?.node;
  return readLeavingMark(node?.metadata?.annotations) !== undefined;
}

const waitingIn = (groups: readonly AutoScalingGroup[]): readonly GroupInstance[] =>
  groups.flatMap((group) => waitingOf(group));

const everyone = (groups: readonly AutoScalingGroup[], terms: LeaveTerms): readonly Leaver[] =>
  withMyself(
    groups.flatMap((group) => [...membersOf(group).values()]),
    terms,
  );

/** The list may be some seconds older than the notice. */
const withMyself = (leavers: readonly Leaver[], { instance }: LeaveTerms): readonly Leaver[] =>
  leavers.some((leaver) => leaver.instanceId === instance.instanceId) ? leavers : [...leavers, instance];

/** A retained instance has left as far as anybody can wait for it: its Node keeps the mark for a person, and takes no place. */
async function begunIn(
  world: LeavingWorld,
  groups: readonly AutoScalingGroup[],
  notBefore?: number,
): Promise<Leaver[]> {
  const nodes = await world.cluster.listNodeMetadata(leavingLabel, notBefore);
  return nodes.flatMap(({ annotations }) => {
    const instanceId = readLeavingMark(annotations)?.instanceId;
    if (instanceId === undefined) return [];
    const member = memberOf(groups, instanceId);
    if (member?.lifecycleState.endsWith(':Retained')) return [];
    return [{ instanceId, autoScalingGroupName: member?.autoScalingGroupName ?? '' }];
  });
}

const memberOf = (groups: readonly AutoScalingGroup[], instanceId: string): GroupInstance | undefined =>
  groups.map((group) => membersOf(group).get(instanceId)).find((member) => member !== undefined);

const maxLeavingOf = (world: LeavingWorld, { tags }: AutoScalingGroup): number =>
  readLeavingSettings(tags, world.settings.defaults).settings.maxLeaving;
