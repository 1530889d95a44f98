import { jsonLine } from '../json-text.ts';
import type { Output } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import type { CapacityChange, CapacityPlan, CapacityStatus } from '../scale-api/client.ts';

/** Receives the steps of a change of capacity. */
export interface ScaleProgress {
  accepted(change: CapacityChange): void;
  observed(status: CapacityStatus): void;
  warned(message: string): void;
}

/** Prints only the lines that differ from the previous status, so that a drain of an hour does not fill the screen. */
export function plainProgress(stdout: Output, stderr: Output): ScaleProgress {
  let before: readonly string[] = [];
  const print = (output: Output, lines: readonly string[]): void => {
    for (const line of lines.filter((line) => !before.includes(line))) output.write(`${oneLine(line)}\n`);
    before = lines;
  };
  return {
    accepted: (change) => print(stdout, [changeText(change)]),
    observed: (status) => print(stdout, statusLines(status)),
    warned: (message) => print(stderr, [`warning: ${message}`]),
  };
}

const statusLines = ({ autoScalingGroupName, reason, waitingFor }: CapacityStatus): readonly string[] => [
  `${autoScalingGroupName}: ${reason}`,
  ...waitingFor.map((instance) => `  ${instance.instanceId} ${instance.reason}`),
];

/** Prints one JSON object per line. A status that equals the previous line is not printed. */
export function jsonProgress(stdout: Output): ScaleProgress {
  let last = '';
  const write = (event: string, fields: object): void => {
    const line = jsonLine({ event, ...fields });
    if (line !== last) stdout.write(line);
    last = line;
  };
  return {
    accepted: (change) => write('accepted', change),
    observed: (status) => write('status', status),
    warned: (message) => write('warning', { message }),
  };
}

/** A change as one line. */
export const changeText = ({
  autoScalingGroupName,
  from,
  desiredCapacity,
  maxSize,
  reason,
}: CapacityChange | CapacityPlan): string =>
  oneLine(
    `${autoScalingGroupName}: ${from} -> ${desiredCapacity}; ${maxSize === undefined ? '' : `MaxSize becomes ${maxSize}; `}${reason}`,
  );
