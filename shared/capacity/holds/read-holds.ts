import { type FloorReading, readFloorRecord } from './floor-record.ts';
import { type HoldReading, readHold } from './hold.ts';
import { groupOfSegment, type HoldPaths } from './parameter-names.ts';

/** What the parameters say of one group. */
export interface GroupHolds {
  readonly holds: readonly HoldReading[];
  readonly record: FloorReading;
}

/** The holds in the texts of parameters, by their whole names. Names that Drover does not write are left out. */
export const holdsIn = (texts: ReadonlyMap<string, string>, { holds }: HoldPaths): readonly HoldReading[] =>
  [...texts].flatMap(([parameter, text]) => {
    const [segment = '', name = '', ...deeper] = parameter.slice(holds.length + 1).split('/');
    const autoScalingGroupName = groupOfSegment(segment);
    if (autoScalingGroupName === undefined || name === '' || deeper.length > 0) return [];
    return [readHold(text, { autoScalingGroupName, name })];
  });

/** The records in the texts of parameters, by group. */
export const recordsIn = (
  texts: ReadonlyMap<string, string>,
  { floors }: HoldPaths,
): ReadonlyMap<string, FloorReading> =>
  new Map(
    [...texts].flatMap(([parameter, text]) => {
      const autoScalingGroupName = groupOfSegment(parameter.slice(floors.length + 1));
      return autoScalingGroupName === undefined
        ? []
        : [[autoScalingGroupName, readFloorRecord(text)] as const];
    }),
  );

export const groupOf = (reading: HoldReading): string =>
  reading.kind === 'hold' ? reading.hold.autoScalingGroupName : reading.autoScalingGroupName;

/** Joins holds and records by group. */
export function holdsByGroup(
  holds: readonly HoldReading[],
  records: ReadonlyMap<string, FloorReading>,
): ReadonlyMap<string, GroupHolds> {
  const names = new Set([...holds.map(groupOf), ...records.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      {
        holds: holds.filter((reading) => groupOf(reading) === name),
        record: records.get(name) ?? { kind: 'none' },
      },
    ]),
  );
}
