import { type FloorReading, type GroupHolds, readFloorRecord } from './floor-record.ts';
import { type HoldReading, readHold } from './hold.ts';
import { withRememberedNodes } from './pod-floor.ts';

/** The paths of the parameters of holds, and of the records of floors: one level for each group. */
export interface HoldPaths {
  /** `/drover/<cluster>/holds` */
  readonly holds: string;
  /** `/drover/<cluster>/floors` */
  readonly floors: string;
}

export const holdPathsOf = (clusterName: string): HoldPaths => ({
  holds: `/drover/${clusterName}/holds`,
  floors: `/drover/${clusterName}/floors`,
});

/** The name of a hold is one segment of the parameter's name. */
export const holdNamePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Whether a schedule may name the hold of one of its occurrences so: the name of the schedule, and the time. */
export const isOccurrenceName = (name: string): boolean => /\.\d{8}T\d{4}Z$/.test(name);

/** Whether Parameter Store accepts the name: a hold that was created by hand may have any such name. */
export const canBeHoldName = (name: string): boolean => /^[\w.-]+$/.test(name);

/**
 * The name of a group as one segment of a parameter's name, which may contain `a-zA-Z0-9_.-` (Systems Manager API reference, PutParameter).
 * Letters, digits, dots and dashes are kept; every other byte of the UTF-8 text becomes `_` and two hexadecimal digits.
 */
export const segmentOf = (autoScalingGroupName: string): string =>
  [...Buffer.from(autoScalingGroupName, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9.-]/.test(character)
        ? character
        : `_${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/** The group of a segment; undefined for text that `segmentOf` does not produce. */
export function groupOfSegment(segment: string): string | undefined {
  const bytes = segment.match(/_[0-9A-F]{2}|[A-Za-z0-9.-]/g) ?? [];
  const name = Buffer.from(
    bytes.map((part) => (part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0))),
  ).toString('utf8');
  return name !== '' && segmentOf(name) === segment ? name : undefined;
}

/** The path of the holds of one group. */
export const holdsOfGroup = ({ holds }: HoldPaths, autoScalingGroupName: string): string =>
  `${holds}/${segmentOf(autoScalingGroupName)}`;

export const holdParameterOf = (
  paths: HoldPaths,
  { autoScalingGroupName, name }: { readonly autoScalingGroupName: string; readonly name: string },
): string => `${holdsOfGroup(paths, autoScalingGroupName)}/${name}`;

export const floorParameterOf = ({ floors }: HoldPaths, autoScalingGroupName: string): string =>
  `${floors}/${segmentOf(autoScalingGroupName)}`;

/** Reads the holds from the texts of parameters by full name. Names that Drover does not write are ignored. */
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

/** Each one is a line in the log every minute. */
const mostReportedStrays = 5;

/** Describes the parameters below the path of holds that are not holds, because their names were written in another way. */
export function strayParameters(texts: ReadonlyMap<string, string>, paths: HoldPaths): readonly string[] {
  const strays = [...texts.keys()].filter((parameter) => placeOf(parameter, paths) === undefined);
  const more = strays.length - mostReportedStrays;
  return [
    ...strays.slice(0, mostReportedStrays).map((parameter) => strayText(parameter, paths)),
    ...(more > 0 ? [`${more} more parameters below ${paths.holds} are not read as holds`] : []),
  ];
}

function strayText(parameter: string, { holds }: HoldPaths): string {
  const text = `${parameter} is not read as a hold: its name must be ${holds}/GROUP/NAME`;
  const [group = '', name, ...deeper] = parameter.slice(holds.length + 1).split('/');
  return name === undefined || deeper.length > 0
    ? text
    : `${text}, and GROUP must be ${segmentOf(group)} if ${group} is meant`;
}

/** Reads the records from the texts of parameters, by group. */
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

const groupOf = (reading: HoldReading): string =>
  reading.kind === 'hold' ? reading.hold.autoScalingGroupName : reading.autoScalingGroupName;

/** Joins holds and records by group. Holds for pods ask for the nodes that the record remembers. */
export function holdsByGroup(
  holds: readonly HoldReading[],
  records: ReadonlyMap<string, FloorReading>,
): ReadonlyMap<string, GroupHolds> {
  const names = new Set([...holds.map(groupOf), ...records.keys()]);
  return new Map(
    [...names].map((name) => {
      const record = records.get(name) ?? { kind: 'none' };
      const own = holds.filter((reading) => groupOf(reading) === name);
      return [name, { holds: withRememberedNodes(own, record), record }];
    }),
  );
}
