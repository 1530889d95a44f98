import type { Call } from '../../watch/call.ts';
import type { Resident } from '../../watch/census.ts';
import { residentOf, staleMilliseconds } from '../facts.ts';
import type { Finding, Rule, View } from '../rule.ts';

/** What is known of an instance that is about to be given back. */
export interface GiveBack {
  readonly instanceId: string;
  readonly resident: Resident;
  readonly autoScalingGroupName: string;
}

type Judge = (giveBack: GiveBack, view: View) => Finding;

/** A rule about every call that gives a node back. */
export const onGiveBack =
  (judge: Judge): NonNullable<Rule['onCall']> =>
  (call, view) => {
    const resident = residentOf(view, call);
    if (call.kind !== 'give-back' || resident === undefined) return undefined;
    const { instanceId, autoScalingGroupName } = resident;
    const finding = judge({ instanceId, resident, autoScalingGroupName }, view);
    return finding && `${instanceId} is given back ${finding}`;
  };

/** The same, but for spells of stale reads: a pass may then act on a group that another tool has changed since. */
export const onInformedGiveBack = (judge: Judge): NonNullable<Rule['onCall']> =>
  onGiveBack((giveBack, view) =>
    view.spellsSince(view.now - staleMilliseconds).some(({ kind }) => kind === 'stale-reads')
      ? undefined
      : judge(giveBack, view),
  );

/** Drover reads the group for the last time right before the call. */
export const settledMilliseconds = 15_000;

/** The instances of a group that Drover knows of, and the one that goes. */
export const peersOf = ({ census }: View, name: string): readonly Resident[] =>
  census.all().filter(({ autoScalingGroupName }) => autoScalingGroupName === name);

export const isCordon = (call: Call): boolean =>
  call.kind === 'patch-node' && call.patch.spec?.unschedulable === true;
