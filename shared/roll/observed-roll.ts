import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { readLeavingMark, shownPods } from '../nodes/leaving-mark.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { readRollingMark } from '../nodes/rolling-mark.ts';
import type { RollLaunches } from './launches.ts';
import type { RollMember } from './member.ts';
import { rollsOf } from './node-marks.ts';
import { type GroupProgress, progressOf, rollMembers } from './progress.ts';
import { type RollState, rollStateOf, type StoredRoll } from './rolls-in.ts';

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

/** What the progress of a roll is derived from. */
export interface ObservedFacts {
  /** At least those of the roll. */
  readonly groups: readonly AutoScalingGroup[];
  readonly launches: Awaited<ReturnType<RollLaunches['readInstances']>>;
  readonly nodes: readonly Node[];
}

/** How far a roll is by what there is. Pure. */
export function observedRoll(stored: StoredRoll, { groups, launches, nodes }: ObservedFacts): ObservedRoll {
  const state = { name: stored.name, ...rollStateOf(stored) };
  if (stored.ask.kind === 'unreadable') return { ...state, groups: [], moving: [], touched: [] };
  const roll = stored.ask.value;
  const progress = progressOf(roll, { groups, members: rollMembers(groups, launches, nodes) });
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
