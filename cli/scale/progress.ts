import { jsonLine } from '../json-text.ts';
import type { Output } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import type { CapacityChange, CapacityStatus } from '../scale-api/client.ts';
import { changeText } from './text.ts';

/** Receives what happens on the way to a capacity. */
export interface ScaleProgress {
  accepted(change: CapacityChange): void;
  looked(status: CapacityStatus): void;
  warned(message: string): void;
}

/** Lines as they come, and of each look only what is new: a drain of an hour does not fill the screen. */
export function plainProgress(stdout: Output, stderr: Output): ScaleProgress {
  let before: readonly string[] = [];
  const say = (output: Output, lines: readonly string[]): void => {
    for (const line of lines.filter((line) => !before.includes(line))) output.write(`${oneLine(line)}\n`);
    before = lines;
  };
  return {
    accepted: (change) => say(stdout, [changeText(change)]),
    looked: (status) => say(stdout, statusLines(status)),
    warned: (message) => say(stderr, [`warning: ${message}`]),
  };
}

const statusLines = ({ autoScalingGroupName, reason, waitingFor }: CapacityStatus): readonly string[] => [
  `${autoScalingGroupName}: ${reason}`,
  ...waitingFor.map((instance) => `  ${instance.instanceId} ${instance.reason}`),
];

/** One JSON object per line. A look that is the same as the last line is left out. */
export function jsonProgress(stdout: Output): ScaleProgress {
  let last = '';
  const write = (event: string, fields: object): void => {
    const line = jsonLine({ event, ...fields });
    if (line !== last) stdout.write(line);
    last = line;
  };
  return {
    accepted: (change) => write('accepted', change),
    looked: (status) => write('status', status),
    warned: (message) => write('warning', { message }),
  };
}
