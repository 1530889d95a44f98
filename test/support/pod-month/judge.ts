import type { AutoScaling } from './auto-scaling.ts';
import { type Book, type BookedHold, mostNodesFor, withoutRoom } from './book.ts';
import type { Cluster } from './cluster.ts';
import { groupNames, minute } from './plan.ts';
import type { LastScan } from './prewarm.ts';
import type { FaultKind, Weather } from './weather.ts';

/** The lead: a scan, a launch and a join, and the time after which a group that lacks nodes is reported. */
const leadMinutes = 17;
/** A lower bound waits for two minutes after each change. */
const settledMinutes = 8;

/** How the minutes of a month were judged. */
export interface Judgement {
  readonly wrong: readonly string[];
  /** Minutes of groups in which open pods had room, or lacked it and the reason was said, after the lead. */
  readonly met: number;
  readonly said: number;
  /** Minutes in which the bounds of a group without holds were the base. */
  readonly atBase: number;
  /** What happened before the first minute that was wrong. */
  readonly before: readonly string[];
}

interface GroupState {
  /** The last change that may take room, in epoch milliseconds. */
  disturbedAt: number;
  lackingMinutes: number;
  /** The last change of the active holds, in epoch milliseconds, and their names. */
  holdsChangedAt: number;
  holds: string;
}

interface JudgeParts {
  readonly book: Book;
  readonly cluster: Cluster;
  readonly autoScaling: AutoScaling;
  readonly weather: Weather;
  readonly lastScan: () => LastScan | undefined;
}

/** Judges each minute with what people know, a placement of its own, and the true cluster. */
export function createJudge({ book, cluster, autoScaling, weather, lastScan }: JudgeParts) {
  const states = new Map<string, GroupState>(
    groupNames.map((name) => [name, { disturbedAt: 0, lackingMinutes: 0, holdsChangedAt: 0, holds: '' }]),
  );
  const faultSince = new Map<FaultKind, number>();
  let lastFaultAt = 0;
  const wrong: string[] = [];
  let met = 0;
  let said = 0;
  let atBase = 0;
  const lines: string[] = [];
  let before: readonly string[] = [];

  const seen = { cluster, autoScaling };
  const minutesSince = (at: number, now: number): number => (now - at) / minute;

  /** What prewarm reports about the group: of the last scan, or that there was none for a while, which alarms. */
  function saidOf(group: string, now: number): string {
    const scan = lastScan();
    if (scan === undefined || minutesSince(scan.at, now) > 3) return 'no scan for minutes';
    if (scan.kind === 'failed') return `the scan failed: ${scan.why}`;
    return scan.report.groups
      .filter(({ autoScalingGroupName }) => autoScalingGroupName === group)
      .flatMap(({ problems }) => problems)
      .join('; ');
  }

  /** Faults that keep room away, and that must be reported. */
  function hinders(now: number): boolean {
    const kinds: readonly FaultKind[] = ['api-away', 'pod-holds-off', 'no-launches', 'no-scans'];
    return kinds.some(
      (kind) => weather.has(kind) && minutesSince(faultSince.get(kind) ?? now, now) > leadMinutes + 3,
    );
  }

  function judgeRoom(group: string, holds: readonly BookedHold[], now: number): void {
    const state = stateOf(group);
    const relied = holds.filter(({ reliedFrom, isArrived }) => reliedFrom <= now && !isArrived);
    const lacking = withoutRoom(group, relied, seen);
    state.lackingMinutes = lacking > 0 ? state.lackingMinutes + 1 : 0;
    const isCalm = minutesSince(Math.max(state.disturbedAt, lastFaultAt), now) > leadMinutes;
    if (lacking === 0) {
      if (isCalm && relied.some(({ asks }) => asks.kind !== 'nodes')) met += 1;
      return;
    }
    const words = saidOf(group, now);
    const isHindered = hinders(now) && minutesSince(state.disturbedAt, now) > leadMinutes + 3;
    if (!isCalm && !(isHindered && state.lackingMinutes > leadMinutes + 3)) return;
    const isAtMaxSize =
      sizesOf(group).maxSize <=
      autoScaling.instances(group).filter(({ state: one }) => one !== 'Standby').length;
    if (isHindered ? words !== '' : isAtMaxSize && words.includes('MaxSize is')) said += 1;
    else
      complain(
        group,
        now,
        `${lacking} open pods lack room for ${state.lackingMinutes} min, and this was said: ${words || 'nothing'}`,
      );
  }

  function judgeBounds(group: string, holds: readonly BookedHold[], now: number): void {
    const state = stateOf(group);
    const names = holds.map(({ name }) => name).join();
    if (names !== state.holds) Object.assign(state, { holds: names, holdsChangedAt: now });
    const calm = minutesSince(Math.max(state.disturbedAt, state.holdsChangedAt, lastFaultAt), now);
    if (calm <= settledMinutes) return;
    const { minSize, maxSize } = sizesOf(group);
    const bases = book.basesOf(group);
    const most = Math.max(...bases.minSize);
    const nodes = Math.max(0, ...holds.map(({ asks }) => (asks.kind === 'nodes' ? asks.nodes : 0)));
    const floor = Math.min(maxSize, Math.max(Math.min(...bases.minSize), nodes));
    if (minSize < floor) complain(group, now, `MinSize is ${minSize}, and ${floor} nodes are asked for`);
    const ceiling = Math.max(most, nodes, mostNodesFor(group, holds, seen) + 1);
    if (minSize > ceiling)
      complain(group, now, `MinSize is ${minSize}, and ${ceiling} nodes are the most that are needed`);
    if (holds.length > 0) return;
    if (!bases.minSize.has(minSize))
      complain(
        group,
        now,
        `MinSize is ${minSize} without holds, and the base is ${[...bases.minSize].join(' or ')}`,
      );
    else if (!bases.maxSize.has(maxSize) && sizesOf(group).desiredCapacity <= Math.min(...bases.maxSize))
      complain(
        group,
        now,
        `MaxSize is ${maxSize} without holds, and the base is ${[...bases.maxSize].join(' or ')}`,
      );
    else atBase += 1;
  }

  const stateOf = (group: string): GroupState => {
    const state = states.get(group);
    if (state === undefined) throw new Error(`there is no group ${group}`);
    return state;
  };
  const sizesOf = (group: string) => {
    const sizes = autoScaling.sizes(group);
    if (sizes === undefined) throw new Error(`there is no group ${group}`);
    return sizes;
  };
  const complain = (group: string, now: number, what: string): void => {
    if (wrong.length === 0) before = [...lines, stateText(group)];
    if (wrong.length < 50) wrong.push(`${new Date(now).toISOString()} ${group}: ${what}`);
  };

  const stateText = (group: string): string => {
    const nodes = cluster
      .nodes()
      .filter(({ pool }) => pool === group)
      .map(({ name, instanceId, ...node }) => ({
        ...node,
        isInService: autoScaling.isInService(instanceId),
        pods: cluster.podsOn(name).map(({ app }) => app),
      }));
    const { minSize, maxSize, desiredCapacity } = sizesOf(group);
    return JSON.stringify({ group, minSize, maxSize, desiredCapacity, nodes });
  };

  return {
    /** Keeps a line of what happens. */
    note: (now: number, line: string): void => {
      lines.push(`${new Date(now).toISOString()} ${line}`);
      if (lines.length > 100) lines.shift();
    },
    disturb: (group: string, now: number): void => {
      const state = states.get(group);
      if (state) state.disturbedAt = now;
    },
    judge: (now: number): void => {
      for (const kind of weather.kinds()) if (!faultSince.has(kind)) faultSince.set(kind, now);
      for (const kind of faultSince.keys()) if (!weather.has(kind)) faultSince.delete(kind);
      if (weather.kinds().size > 0) lastFaultAt = now;
      for (const group of groupNames) {
        if (autoScaling.sizes(group) === undefined) continue;
        const holds = book.activeIn(group, now);
        judgeRoom(group, holds, now);
        judgeBounds(group, holds, now);
      }
    },
    judgement: (): Judgement => ({ wrong, met, said, atBase, before }),
  };
}
