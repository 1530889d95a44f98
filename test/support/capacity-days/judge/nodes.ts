import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { serving } from '../../../../local/world/holds.ts';
import type { CapacityBook } from '../../lifetimes/watch/capacity-book.ts';
import { instanceType } from '../deeds.ts';
import type { DaysPlan } from '../plan.ts';
import { expectedOf } from './expected.ts';
import type { Warnings } from './warnings.ts';

const minute = 60_000;
/** Drover reports missing nodes after 15 minutes. Its clock may be 90 seconds behind. */
const patienceMinutes = 22;
/** Auto Scaling retries a refused launch within 15 minutes, and the instance must boot. */
const recoveryMinutes = 30;

export interface NodesJudge {
  /** Called every minute; undefined if nothing is wrong. */
  look(group: string, now: number): string | undefined;
  /** Whether nodes have been missing for long, and EC2 had no capacity for as long. */
  isShortOfCapacity(group: string): boolean;
  /** Minutes in which nodes were missing and Drover reported the reason. */
  explained(): number;
}

/** A group has the nodes of its holds, or EC2 has no capacity and Drover names the type and the zone. */
export function createNodesJudge(
  {
    world,
    book,
    plan,
  }: { readonly world: DroverWorld; readonly book: CapacityBook; readonly plan: DaysPlan },
  { isCalm, warnings }: { readonly isCalm: (group: string) => boolean; readonly warnings: Warnings },
): NodesJudge {
  const lacking = new Map<string, { readonly floor: number; readonly since: number; readonly at: number }>();
  let explained = 0;
  const lackedMinutes = (group: string): number => {
    const { since = 0, at = 0 } = lacking.get(group) ?? {};
    return (at - since) / minute;
  };
  const note = (group: string): void => {
    const at = world.clock.now();
    const { given } = expectedOf(book, group, at);
    if (serving(world, group) >= given || !isCalm(group)) return void lacking.delete(group);
    // A hold that raises the floor further has its own 15 minutes (docs/capacity.md, Limits).
    const floor = Math.max(given, book.boundsOf(group).minSize);
    const known = lacking.get(group);
    lacking.set(group, { floor, at, since: known?.floor === floor ? known.since : at });
  };
  const wasShort = (now: number, { began, ended }: { readonly began: number; readonly ended: number }) =>
    plan.shortages.some(({ from, to }) => from + began <= now && now < to + ended);
  let minuteNow = 0;
  const isShortNow = (): boolean => wasShort(minuteNow, { began: patienceMinutes, ended: 0 });
  return {
    look: (group, now) => {
      minuteNow = now;
      note(group);
      if (lackedMinutes(group) < patienceMinutes) return undefined;
      const { given } = expectedOf(book, group, world.clock.now());
      const found = `${serving(world, group)} of ${given} nodes are in service`;
      if (!wasShort(now, { began: 0, ended: recoveryMinutes })) return `${found}, and EC2 has capacity`;
      const words = isShortNow() ? [instanceType, world.account.region] : [];
      if (!warnings.said(group, 'in service', ...words)) return `${found}, and Drover does not say why`;
      explained += 1;
      return undefined;
    },
    isShortOfCapacity: (group) => lackedMinutes(group) >= patienceMinutes && isShortNow(),
    explained: () => explained,
  };
}
