import { percentOf, type TimeWindow } from '../../state/time-window.ts';
import type { ScheduleView } from '../../state/types.ts';
import { clockTime, counted, duration } from '../../state/words.ts';
import type { LineProps } from './group-line.tsx';
import { spanOf } from './hold-row.tsx';

type Occurrence = ScheduleView['occurrences'][number];

/** A schedule: its next occurrence, and the minute at which the hold of it will be made. */
export const ScheduleRow = ({ schedule, window, now }: LineProps & { readonly schedule: ScheduleView }) => (
  <li class="row schedule" data-paused={schedule.paused ? '' : undefined}>
    <p>
      <span class="chip" data-state={schedule.paused ? 'paused' : 'next'}>
        {schedule.paused ? 'paused' : 'schedule'}
      </span>
      <span class="name">{schedule.name}</span>
      <span>{wordsOf(schedule, now)}</span>
      <span class="reason">{`${schedule.expression} in ${schedule.timeZone}`}</span>
    </p>
    <span class="bars" aria-hidden="true">
      {schedule.occurrences.map((occurrence) => (
        <Bars key={occurrence.localTime} occurrence={occurrence} window={window} />
      ))}
    </span>
  </li>
);

/** The lead, and then the time in which the nodes are kept. */
function Bars({ occurrence, window }: { readonly occurrence: Occurrence; readonly window: TimeWindow }) {
  if (occurrence.kind !== 'hold' || occurrence.madeAt > window.to) return null;
  const [made, ready, end] = [occurrence.madeAt, occurrence.readyAt, occurrence.until].map((at) =>
    percentOf(at, window),
  ) as [number, number, number];
  return (
    <>
      <span class="bar lead-bar" style={spanOf(made, ready)} />
      <span class="bar next-bar" style={spanOf(ready, end)} />
    </>
  );
}

function wordsOf(
  { nodes, pods, occurrences, leadSeconds, measured, paused }: ScheduleView,
  now: number,
): string {
  const kept = pods ?? counted(nodes, 'node');
  const lead = `lead ${duration(leadSeconds * 1000)}, ${measured ? 'measured' : 'set'}`;
  const skipped = occurrences.flatMap((each) => (each.kind === 'hold' ? [] : [skippedWords(each)]));
  const next = occurrences.find((each) => each.kind === 'hold');
  if (next === undefined || next.kind !== 'hold') return [`${kept}; no next time`, ...skipped].join('; ');
  if (paused) return `${kept}; would be next at ${clockTime(next.readyAt, now)}`;
  const made =
    next.madeAt <= now
      ? `its hold was due at ${clockTime(next.madeAt, now)}`
      : `its hold will be made at ${clockTime(next.madeAt, now)}, in ${duration(next.madeAt - now)}`;
  return [
    `${kept} ${pods === undefined ? 'Ready' : 'with room'} at ${clockTime(next.readyAt, now)} until ${clockTime(next.until, now)}; ${made} (${lead})`,
    ...skipped,
  ].join('; ');
}

const skippedWords = ({ kind, localTime }: Occurrence): string =>
  kind === 'exception' ? `skips ${localTime} (exception)` : `skips ${localTime} (clocks leave it out)`;
