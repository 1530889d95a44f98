import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import type { FunctionEvent, Look } from './look.ts';

/** One line for an event: time, function, subject, outcome, reason. */
export function eventText({ time, function: name, subject, outcome, level, reason }: FunctionEvent): Text {
  const columns = [
    isoSeconds(Date.parse(time)),
    name.padEnd(20),
    (subject ?? '-').padEnd(19),
    outcome.padEnd(8),
    reason,
  ];
  const line = oneLine(columns.join('  ')).trimEnd();
  const style = level === 'error' ? 'red' : level === 'warn' ? 'yellow' : undefined;
  return [style === undefined ? line : painted(style, line), '\n'];
}

/** What a reader must know about what is not shown. */
export function notes({ missing, cut, skipped }: Look): readonly string[] {
  return [
    ...(missing.length > 0 ? [`no log of ${missing.join(', ')}: not deployed, or never ran`] : []),
    ...(cut.length > 0
      ? [
          `older lines of ${cut.join(', ')} are left out: ask for a shorter time with --since, or for one --instance`,
        ]
      : []),
    ...(skipped > 0
      ? [`${skipped} ${skipped === 1 ? 'line is' : 'lines are'} not Drover's, and left out`]
      : []),
  ];
}
