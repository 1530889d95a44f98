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

/** A name of a hold is one segment of the parameter's name. */
export const holdNamePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Whether Parameter Store takes the name at all: a hold that was made by hand may have any such name. */
export const canBeHoldName = (name: string): boolean => /^[\w.-]+$/.test(name);

/**
 * The name of a group as one segment of a parameter's name, which takes `a-zA-Z0-9_.-` (Systems Manager API reference, PutParameter).
 * Letters, digits, dots and dashes stand for themselves; every other byte of the UTF-8 text is `_` and two hexadecimal digits.
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

/** The group that a segment names; undefined for text that `segmentOf` does not write. */
export function groupOfSegment(segment: string): string | undefined {
  const bytes = segment.match(/_[0-9A-F]{2}|[A-Za-z0-9.-]/g) ?? [];
  const name = Buffer.from(
    bytes.map((part) => (part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0))),
  ).toString('utf8');
  return name !== '' && segmentOf(name) === segment ? name : undefined;
}

/** The path below which the holds of one group are. */
export const holdsOfGroup = ({ holds }: HoldPaths, autoScalingGroupName: string): string =>
  `${holds}/${segmentOf(autoScalingGroupName)}`;

export const holdParameterOf = (
  paths: HoldPaths,
  { autoScalingGroupName, name }: { readonly autoScalingGroupName: string; readonly name: string },
): string => `${holdsOfGroup(paths, autoScalingGroupName)}/${name}`;

export const floorParameterOf = ({ floors }: HoldPaths, autoScalingGroupName: string): string =>
  `${floors}/${segmentOf(autoScalingGroupName)}`;
