import { giveBackTagKey } from '../../../../shared/groups/group-settings.ts';
import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import type { Step } from './history.ts';
import type { LifetimePlan } from './plan.ts';
import type { Spell } from './spells.ts';

/** Nodes have become empty, and settled, some minutes after a hold. */
const watchedSeconds = 1800;

/**
 * In most lifetimes with holds some of the held groups give their empty nodes back afterwards, and people, EC2 and faults disturb that: without these
 * it would all happen after the history.
 */
export function withGivingBack(
  dice: Dice,
  plan: Pick<LifetimePlan, 'groups' | 'history' | 'spells' | 'seconds'>,
): Pick<LifetimePlan, 'groups' | 'history' | 'spells' | 'seconds'> {
  const ends = endsOfHolds(plan.history);
  const groups = plan.groups.map((group) => {
    const isDrawn = dice.chance(0.7);
    return isDrawn && ends.has(group.autoScalingGroupName)
      ? { ...group, tags: { ...group.tags, [giveBackTagKey]: 'true' } }
      : group;
  });
  const giving = groups.filter(({ tags }) => tags[giveBackTagKey] !== undefined);
  const endOf = ({ autoScalingGroupName }: PlannedGroup) => ends.get(autoScalingGroupName) ?? 0;
  const steps = giving.flatMap((group) => planSteps(dice, group, endOf(group)));
  const spells = giving.flatMap((group) => planSpells(dice, endOf(group)));
  const kills = giving.flatMap((group) => planKills(dice, endOf(group)));
  return {
    groups,
    history: [...plan.history, ...steps].toSorted((one, other) => one.at - other.at),
    spells: [...plan.spells, ...spells, ...kills],
    seconds: Math.max(plan.seconds, ...giving.map((group) => endOf(group) + watchedSeconds)),
  };
}

/** When the last hold of each group ends, if nothing else ends or extends it. */
function endsOfHolds(history: readonly Step[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const step of history) {
    if (step.kind !== 'hold' && step.kind !== 'schedule') continue;
    const { autoScalingGroupName: name, at, standsSeconds } = step;
    ends.set(name, Math.max(ends.get(name) ?? 0, at + standsSeconds));
  }
  return ends;
}

/** What changes while a group gives back. */
function planSteps(dice: Dice, { autoScalingGroupName }: PlannedGroup, end: number): readonly Step[] {
  const moment = () => ({
    at: end + dice.integer(60, watchedSeconds),
    autoScalingGroupName,
    which: dice.next(),
  });
  const kinds: readonly ((index: number) => readonly Step[])[] = [
    () => [{ kind: 'cordon', ...moment() }],
    () => [{ kind: 'terminate', replace: dice.chance(0.5), ...moment() }],
    () => [{ kind: 'kill', ...moment() }],
    () => [{ kind: 'standby', ...moment() }],
    (index) => [
      {
        kind: 'hold',
        ...moment(),
        name: `again-${index}`,
        nodes: 4,
        standsSeconds: 600,
        raiseMaxSize: false,
      },
    ],
    () => {
      const start = moment();
      return [
        { kind: 'launches-fail', seconds: dice.pick([300, 900]), ...start },
        { kind: 'scale', by: 2, ...start },
      ];
    },
  ];
  return Array.from({ length: dice.integer(1, 4) }, (_, index) => dice.pick(kinds)(index)).flat();
}

/** Passes are killed after any call, or read what was. */
function planSpells(dice: Dice, end: number): readonly Spell[] {
  const from = end + dice.integer(0, 600);
  const faults = [
    { kind: 'killed', share: 0.1 },
    { kind: 'calls-break', share: 0.2 },
    { kind: 'pollers-break', share: 0.4 },
  ] as const;
  return dice.chance(0.4) ? [{ from, to: from + 600, ...dice.pick(faults) }] : [];
}

/**
 * Passes are killed once they have reserved a node, before they give it back. A kill after any call seldom comes between these two: in 120
 * lifetimes there was none that left a reservation behind.
 */
const planKills = (dice: Dice, end: number): readonly Spell[] =>
  dice.chance(0.5)
    ? [
        {
          from: end,
          to: end + watchedSeconds,
          kind: 'killed',
          share: dice.pick([0.5, 1]),
          before: 'TerminateInstanceInAutoScalingGroup',
        },
      ]
    : [];
