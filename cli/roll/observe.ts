import { readLeavingMark, shownPods } from '../../shared/nodes/leaving-mark.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import { readRollingMark } from '../../shared/nodes/rolling-mark.ts';
import type { RollMember } from '../../shared/roll/member.ts';
import { rollsOf } from '../../shared/roll/node-marks.ts';
import { type GroupProgress, progressOf, rollMembers } from '../../shared/roll/progress.ts';
import { type RollState, rollStateOf, type StoredRoll } from '../../shared/roll/rolls-in.ts';
import { clusterOf } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import type { RollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { groupsNamed } from './groups.ts';

/** A node of a roll that something is happening to. */
export interface MovingNode {
  readonly name: string;
  readonly autoScalingGroupName: string;
  readonly state: 'marked' | 'leaving' | 'launching';
  readonly why: string;
}

/** How far a roll is with a group. */
export interface ObservedGroup {
  readonly autoScalingGroupName: string;
  readonly old: number;
  readonly fresh: number;
  readonly leaving: number;
  readonly leftOut: GroupProgress['leftOut'];
}

/** How far a roll is. */
export interface ObservedRoll extends RollState {
  readonly name: string;
  readonly groups: readonly ObservedGroup[];
  readonly moving: readonly MovingNode[];
  /** The Nodes with a taint or a mark of this roll. */
  readonly touched: readonly string[];
}

/**
 * Reads how far a roll is.
 *
 * @throws KubernetesError if the Nodes cannot be read: they have the marks.
 */
export async function observeRoll(
  stored: StoredRoll,
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ObservedRoll> {
  const state = { name: stored.name, ...rollStateOf(stored) };
  if (stored.ask.kind === 'unreadable') return { ...state, groups: [], moving: [], touched: [] };
  const roll = stored.ask.value;
  const [groups, nodes] = await Promise.all([
    groupsNamed(
      roll.groups.map(({ autoScalingGroupName }) => autoScalingGroupName),
      access,
    ),
    clusterOf(flags, context).listNodes('consistent'),
  ]);
  const ids = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const members = rollMembers(groups, await access.launches.readInstances(ids), nodes);
  const progress = progressOf(roll, { groups, members });
  return {
    ...state,
    groups: progress.map(({ autoScalingGroupName, old, fresh, leaving, leftOut }) => ({
      autoScalingGroupName,
      old: old.length,
      fresh: fresh.length,
      leaving: leaving.length,
      leftOut,
    })),
    moving: progress.flatMap(movingIn),
    touched: nodes.filter((node) => rollsOf(node).includes(roll.name)).map(nameOfNode),
  };
}

function movingIn({ autoScalingGroupName, old, leaving, fresh }: GroupProgress): readonly MovingNode[] {
  const moving = (member: RollMember, state: MovingNode['state'], why: string): MovingNode => ({
    name: member.node ? nameOfNode(member.node) : member.instanceId,
    autoScalingGroupName,
    state,
    why,
  });
  return [
    ...old.flatMap(({ member }) =>
      readRollingMark(member.node?.metadata?.annotations) === undefined
        ? []
        : moving(member, 'marked', 'it is cordoned, and its instance is terminated next'),
    ),
    ...leaving.map((member) => moving(member, 'leaving', leavingText(member))),
    ...fresh.flatMap((member) =>
      member.lifecycleState.startsWith('Pending')
        ? moving(member, 'launching', `it is ${member.lifecycleState}`)
        : [],
    ),
  ];
}

/** What the mark of a leaving Node shows: the pods that hold it. */
function leavingText({ node, lifecycleState }: RollMember): string {
  const mark = readLeavingMark(node?.metadata?.annotations);
  if (mark === undefined) return `it is ${lifecycleState}`;
  if (mark.awaiting !== undefined)
    return mark.awaiting === 'turn' ? 'it waits for its turn' : 'it waits for its replacement to be Ready';
  const { waitingFor, andMore } = shownPods(mark);
  if (waitingFor.length === 0) return `it leaves since ${mark.since}`;
  const more = andMore > 0 ? ` and ${andMore} more` : '';
  return `it waits for ${waitingFor.slice(0, 3).join(', ')}${waitingFor.length > 3 ? ` and ${waitingFor.length - 3 + andMore} more` : more}`;
}
