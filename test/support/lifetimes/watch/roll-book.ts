import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { boundsOf } from '../../../../local/world/holds.ts';
import { seenOf } from '../../../../local/world/rolls.ts';
import { oldNodeTaintKey, rollingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { readRollingMark } from '../../../../shared/nodes/rolling-mark.ts';
import type { Roll, RollSeen } from '../../../../shared/roll/roll.ts';
import type { Call } from './call.ts';

/** What people asked of a roll, from then on; without a roll where its parameters are gone. Times in epoch milliseconds. */
export interface AskedRoll {
  readonly at: number;
  readonly name: string;
  readonly roll?: Roll;
}

/** Records what people asked of rolls, and which instances rolls have taken. */
export interface RollBook {
  /** The history calls this when people have begun or changed a roll, or something has deleted it. */
  asked(name: string, roll: Roll | undefined): void;
  names(): readonly string[];
  /** Everything that was asked of this roll since then, and what was asked last before. */
  asksSince(name: string, since: number): readonly AskedRoll[];
  /** Notes what a roll does: which instances it takes, and which Nodes it taints. */
  noted(call: Call): void;
  /** When a roll first asked AWS to replace the instance. */
  takenAt(instanceId: string): number | undefined;
  readonly taken: ReadonlyMap<string, number>;
  /** A roll has marked the Node of that name so that its drain waits for the replacement. */
  waits(nodeName: string): boolean;
  /** A roll has asked once to taint the Node of that name. */
  wasTainted(nodeName: string): boolean;
  /** What the last pass has seen of the roll. */
  seen(name: string): RollSeen | undefined;
  /** Looks how many instances each group should have, once there is a roll. */
  observe(groupNames: readonly string[]): void;
  /** The lowest desired capacity of the group since then. */
  leastDesired(autoScalingGroupName: string, since: number): number;
  /** Whether the group has had a lower desired capacity since then than before. */
  wasLowered(autoScalingGroupName: string, since: number): boolean;
  /** The history calls this when people have made a version of the group's launch template. */
  versionMade(autoScalingGroupName: string, version: number): void;
  /** The history calls this when it raises the alarm of rolls until then. */
  alarmRaised(from: number, to: number): void;
  /** Whether the alarm of rolls has been raised since then. */
  isRaisedSince(since: number): boolean;
  /** The versions that the group launched since then, and the one before. */
  versionsSince(autoScalingGroupName: string, since: number): readonly number[];
}

const isOldTaint = ({ key, effect }: Taint): boolean =>
  key === oldNodeTaintKey && effect === 'PreferNoSchedule';

const firstVersion = { at: -Infinity, version: 1 };

export function createRollBook(world: DroverWorld): RollBook {
  const asks = new Map<string, AskedRoll[]>();
  const taken = new Map<string, number>();
  const tainted = new Set<string>();
  const waiting = new Set<string>();
  const desired = new Map<string, { readonly at: number; readonly desiredCapacity: number }[]>();
  const versions = new Map<string, { readonly at: number; readonly version: number }[]>();
  const alarms: { readonly begin: number; readonly end: number }[] = [];
  return {
    asked: (name, roll) => {
      const ask = { at: world.clock.now(), name, ...(roll && { roll }) };
      asks.set(name, [...(asks.get(name) ?? []), ask]);
    },
    names: () => [...asks.keys()],
    asksSince: (name, since) => from(asks.get(name) ?? [], since),
    noted: (call) => {
      if (call.caller !== 'roll') return;
      const takes = call.kind === 'hand-back' || (call.kind === 'set-health' && !call.healthy);
      if (takes && !taken.has(call.instanceId)) taken.set(call.instanceId, call.at);
      if (call.kind !== 'patch-node') return;
      if (call.patch.spec?.taints?.some(isOldTaint)) tainted.add(call.node.name);
      const text = call.patch.metadata?.annotations?.[rollingAnnotation];
      const mark = readRollingMark(text == null ? undefined : { [rollingAnnotation]: text });
      if (typeof mark !== 'object') return;
      if (mark.waits) waiting.add(call.node.name);
      else waiting.delete(call.node.name);
    },
    takenAt: (instanceId) => taken.get(instanceId),
    taken,
    waits: (nodeName) => waiting.has(nodeName),
    wasTainted: (nodeName) => tainted.has(nodeName),
    seen: (name) => seenOf(world, name),
    observe: (groupNames) => {
      if (asks.size === 0) return;
      for (const name of groupNames) {
        const { desiredCapacity = 0 } = boundsOf(world, name);
        const known = desired.get(name) ?? [];
        if (known.at(-1)?.desiredCapacity !== desiredCapacity)
          desired.set(name, [...known, { at: world.clock.now(), desiredCapacity }]);
      }
    },
    leastDesired: (name, since) =>
      Math.min(...from(desired.get(name) ?? [], since).map(({ desiredCapacity }) => desiredCapacity)),
    wasLowered: (name, since) => {
      const [first, ...later] = from(desired.get(name) ?? [], since);
      return later.some(({ desiredCapacity }) => desiredCapacity < (first?.desiredCapacity ?? 0));
    },
    versionMade: (name, version) => {
      const known = versions.get(name) ?? [firstVersion];
      versions.set(name, [...known, { at: world.clock.now(), version }]);
    },
    alarmRaised: (begin, end) => alarms.push({ begin, end }),
    isRaisedSince: (since) => alarms.some(({ begin, end }) => begin <= since && world.clock.now() < end),
    versionsSince: (name, since) =>
      from(versions.get(name) ?? [firstVersion], since).map(({ version }) => version),
  };
}

function from<Entry extends { readonly at: number }>(
  entries: readonly Entry[],
  since: number,
): readonly Entry[] {
  return entries.slice(
    Math.max(
      0,
      entries.findLastIndex(({ at }) => at <= since),
    ),
  );
}
