import { type FloorReading, readFloorRecord } from './floor-record.ts';
import { type HoldReading, readHold } from './hold.ts';
import { groupOfSegment, type HoldPaths, segmentOf } from './parameter-names.ts';

/** What the parameters say of one group. */
export interface GroupHolds {
  readonly holds: readonly HoldReading[];
  readonly record: FloorReading;
}

/** The holds in the texts of parameters, by their whole names. Names that Drover does not write are left out. */
export const holdsIn = (texts: ReadonlyMap<string, string>, paths: HoldPaths): readonly HoldReading[] =>
  [...texts].flatMap(([parameter, text]) => {
    const place = placeOf(parameter, paths);
    return place === undefined ? [] : [readHold(text, place)];
  });

function placeOf(
  parameter: string,
  { holds }: HoldPaths,
): { readonly autoScalingGroupName: string; readonly name: string } | undefined {
  const [segment = '', name = '', ...deeper] = parameter.slice(holds.length + 1).split('/');
  const autoScalingGroupName = groupOfSegment(segment);
  if (autoScalingGroupName === undefined || name === '' || deeper.length > 0) return undefined;
  return { autoScalingGroupName, name };
}

/** Each is a line of the log in every minute. */
const mostStraysSaid = 5;

/** Says which parameters below the path of holds are none, because a person has written their names in another way. */
export function strayParameters(texts: ReadonlyMap<string, string>, paths: HoldPaths): readonly string[] {
  const strays = [...texts.keys()].filter((parameter) => placeOf(parameter, paths) === undefined);
  const more = strays.length - mostStraysSaid;
  return [
    ...strays.slice(0, mostStraysSaid).map((parameter) => strayWords(parameter, paths)),
    ...(more > 0 ? [`${more} more parameters below ${paths.holds} are read as no holds`] : []),
  ];
}

function strayWords(parameter: string, { holds }: HoldPaths): string {
  const words = `${parameter} is read as no hold: its name must be ${holds}/GROUP/NAME`;
  const [group = '', name, ...deeper] = parameter.slice(holds.length + 1).split('/');
  return name === undefined || deeper.length > 0
    ? words
    : `${words}, and GROUP must be ${segmentOf(group)} if ${group} is meant`;
}

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
