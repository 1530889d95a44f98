import type { Asked } from '../../../../shared/roll/change-roll.ts';
import type { Roll } from '../../../../shared/roll/roll.ts';
import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';

interface Moment {
  /** Seconds since the history began. */
  readonly at: number;
  readonly autoScalingGroupName: string;
  /** Which of the instances that there are then: from 0 to 1. */
  readonly which: number;
}

/** When a roll may replace instances, in minutes from its beginning: it opens, closes once, and opens again for hours. */
export interface PlannedWindow {
  readonly opensAfter: number;
  readonly opensFor: number;
  readonly closesFor: number;
}

/** Kubelets and users can write marks that Drover could have written too: of another time, or of another instance. */
export const validMarkEdits = [
  'begins-earlier',
  'begins-now',
  'begins-later',
  'ends-earlier',
  'ends-later',
  'renewed-later',
  'other-instance',
] as const;
export type MarkEdit = 'remove' | 'garble' | (typeof validMarkEdits)[number];

export type Deed =
  | { readonly kind: 'scale'; readonly by: number }
  | { readonly kind: 'terminate'; readonly replace: boolean }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'rebalance' }
  | { readonly kind: 'reservation-ends'; readonly noticeSeconds: number }
  | { readonly kind: 'health-event'; readonly count: number }
  | { readonly kind: 'kill' }
  | { readonly kind: 'kubelet-dies' }
  | { readonly kind: 'kubelet-cut-off'; readonly seconds: number }
  | { readonly kind: 'delete-node' }
  | { readonly kind: 'cordon' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'retag'; readonly key: string; readonly value: string }
  | { readonly kind: 'standby' }
  | { readonly kind: 'detach' }
  | { readonly kind: 'daemon-set-gone' }
  | { readonly kind: 'change-hook'; readonly heartbeatTimeoutSeconds: number }
  | { readonly kind: 'remove-hook' }
  | {
      readonly kind: 'hold';
      readonly name: string;
      readonly nodes: number;
      readonly standsSeconds: number;
      readonly raiseMaxSize: boolean;
    }
  /** A schedule of one time, which is three minutes later. */
  | {
      readonly kind: 'schedule';
      readonly name: string;
      readonly nodes: number;
      readonly standsSeconds: number;
    }
  | { readonly kind: 'extend-hold'; readonly name: string; readonly bySeconds: number }
  | { readonly kind: 'end-hold'; readonly name: string }
  /** Something deletes the record of the group's bounds from Parameter Store. */
  | { readonly kind: 'lose-record' }
  /** EC2 has no capacity for a while. */
  | { readonly kind: 'launches-fail'; readonly seconds: number }
  /** An autoscaler gives back what MinSize allows. */
  | { readonly kind: 'autoscale' }
  /** An operator sets MinSize; infrastructure as code also sets the desired capacity. */
  | { readonly kind: 'set-bounds'; readonly minSize: number; readonly desiredCapacity?: number }
  /** Another program removes the cordon and the exclusion from load balancers of a Node that Drover has marked. */
  | { readonly kind: 'uncordon' }
  /** A user edits the mark of a Node. */
  | { readonly kind: 'edit-mark'; readonly how: MarkEdit }
  /** Another tool removes a tag that it did not set, and the operator restores it. */
  | { readonly kind: 'lose-tag'; readonly tag: 'cluster' | 'role'; readonly seconds: number }
  /** AWS announces a change and cancels it. */
  | { readonly kind: 'cancelled-change'; readonly count: number; readonly afterSeconds: number }
  /** A volume of nothing stays attached to the node for good. */
  | { readonly kind: 'volume-stays' }
  /** A Node that Drover has marked serves a machine that AWS does not know, and whose kubelet reports for a while. */
  | { readonly kind: 'unknown-machine'; readonly seconds: number }
  /** In another VPC with the same addresses an instance runs for a while that has the private DNS name of one of the group. */
  | { readonly kind: 'namesake'; readonly seconds: number }
  /** People begin a roll of these groups: `changed` after a new version of their launch templates. */
  | {
      readonly kind: 'roll';
      readonly name: string;
      readonly groupNames: readonly string[];
      readonly criterion: 'changed' | 'all';
      readonly bounds: Pick<Roll, 'surge' | 'maxUnavailable' | 'canary' | 'bakeSeconds' | 'skipBlocked'>;
      readonly window?: PlannedWindow;
      /** An alarm that the step `raise-alarm` raises stops it. */
      readonly hasAlarm?: true;
    }
  /** The alarm of rolls is raised for a while. */
  | { readonly kind: 'raise-alarm'; readonly seconds: number }
  | { readonly kind: 'change-roll'; readonly name: string; readonly asked: Asked['kind'] }
  /** Something deletes the parameters of the roll. */
  | { readonly kind: 'lose-roll'; readonly name: string }
  /** People make another version of the group's launch template. */
  | { readonly kind: 'new-version' }
  /** People or other programs undo what a roll has written to a Node. */
  | { readonly kind: 'edit-rolling'; readonly how: 'uncordon' | 'remove' | 'garble' | 'untaint' }
  | { readonly kind: 'refresh' }
  | {
      readonly kind: 'suspend';
      readonly process: 'Launch' | 'ReplaceUnhealthy';
      readonly seconds: number;
    }
  /** Something with a stolen bootstrap token asks for the name of a node that has one, or of an instance that is gone or foreign. */
  | { readonly kind: 'stranger-asks'; readonly forName: 'serving' | 'gone' | 'foreign' };

/** Something that people or AWS do. */
export type Step = Moment & Deed;

const draw: readonly (readonly [number, (dice: Dice) => Deed])[] = [
  [9, (dice) => ({ kind: 'scale', by: dice.pick([-5, -4, -3, -1, 1, 2]) })],
  [10, (dice) => ({ kind: 'terminate', replace: dice.chance(0.5) })],
  [6, () => ({ kind: 'interrupt' })],
  [3, () => ({ kind: 'rebalance' })],
  [2, (dice) => ({ kind: 'reservation-ends', noticeSeconds: dice.integer(60, 600) })],
  [3, (dice) => ({ kind: 'health-event', count: dice.integer(1, 3) })],
  [2, () => ({ kind: 'kill' })],
  [2, () => ({ kind: 'kubelet-dies' })],
  [2, (dice) => ({ kind: 'kubelet-cut-off', seconds: dice.integer(10, 300) })],
  [2, () => ({ kind: 'delete-node' })],
  [2, () => ({ kind: 'cordon' })],
  [2, () => ({ kind: 'pause' })],
  [2, () => ({ kind: 'resume' })],
  [2, (dice) => ({ kind: 'retag', ...planTag(dice) })],
  [2, () => ({ kind: 'standby' })],
  [1, () => ({ kind: 'detach' })],
  [1, () => ({ kind: 'daemon-set-gone' })],
];

const planTag = (dice: Dice): { readonly key: string; readonly value: string } =>
  dice.pick([
    { key: 'drover.dev/drain-timeout', value: String(dice.integer(30, 600)) },
    { key: 'drover.dev/on-failure', value: dice.pick(['CONTINUE', 'ABANDON']) },
    { key: 'drover.dev/max-leaving', value: String(dice.integer(1, 4)) },
  ]);

function planDeed(dice: Dice): Deed {
  const total = draw.reduce((sum, [weight]) => sum + weight, 0);
  let left = dice.next() * total;
  for (const [weight, make] of draw) {
    left -= weight;
    if (left < 0) return make(dice);
  }
  return { kind: 'terminate', replace: true };
}

/** What happens over so many seconds, in the order of time. */
export function planHistory(
  dice: Dice,
  { groups, seconds }: { readonly groups: readonly PlannedGroup[]; readonly seconds: number },
): readonly Step[] {
  const count = dice.integer(2, 12);
  return Array.from({ length: count }, () => ({
    ...planDeed(dice),
    at: dice.integer(0, seconds),
    autoScalingGroupName: dice.pick(groups).autoScalingGroupName,
    which: dice.next(),
  })).toSorted((one, other) => one.at - other.at);
}

/** In a third of all lifetimes hooks change while instances wait on them. */
export function planHookChanges(
  dice: Dice,
  { groups, history }: { readonly groups: readonly PlannedGroup[]; readonly history: readonly Step[] },
): readonly Step[] {
  const withHook = groups.filter(({ heartbeatTimeoutSeconds }) => heartbeatTimeoutSeconds !== undefined);
  if (withHook.length === 0 || dice.chance(0.67)) return [];
  return Array.from({ length: dice.integer(1, 2) }, () => ({
    ...dice.pick<Deed>([
      { kind: 'change-hook', heartbeatTimeoutSeconds: dice.pick([120, 300, 900, 3600, 7200]) },
      { kind: 'change-hook', heartbeatTimeoutSeconds: dice.pick([120, 300, 900, 3600, 7200]) },
      { kind: 'remove-hook' },
    ]),
    at: dice.pick(history).at + dice.integer(1, 120),
    autoScalingGroupName: dice.pick(withHook).autoScalingGroupName,
    which: 0,
  }));
}
