import { memo } from '../../parts/memo.ts';
import { moveFocus } from '../../parts/move-focus.ts';
import {
  type Event,
  type EventFilter,
  partMilliseconds,
  type StripPart,
  stripOf,
} from '../../state/events.ts';
import { clockTime, counted } from '../../state/words.ts';

interface HourStripProps {
  readonly events: readonly Event[];
  readonly filter: EventFilter;
  readonly setFilter: (filter: EventFilter) => void;
  readonly now: number;
}

/** The last hour as bars, each a button that shows only its events. One is in the order of Tab; arrow keys move among all. */
export const HourStrip = memo(({ events, filter, setFilter, now }: HourStripProps) => {
  const parts = stripOf(events, now);
  const highest = Math.max(1, ...parts.map(({ count }) => count));
  const reachable = parts.some(({ from }) => from === filter.at) ? filter.at : parts.at(-1)?.from;
  return (
    <div class="strip">
      <div class="strip-parts" role="group" aria-label="The last hour" onKeyDown={moveFocus}>
        {parts.map((part) => (
          <button
            key={part.from}
            type="button"
            class="part"
            aria-label={labelOf(part, now)}
            title={labelOf(part, now)}
            aria-pressed={part.from === filter.at}
            tabIndex={part.from === reachable ? 0 : -1}
            onClick={() => setFilter(toggled(filter, part.from))}
          >
            <span
              class="part-bar"
              data-failure={part.failures > 0 ? '' : undefined}
              style={{ height: `${(part.count / highest) * 100}%` }}
            />
          </button>
        ))}
      </div>
      <p class="strip-axis" aria-hidden="true">
        {[0, 0.5, 1].map((place) => (
          <span key={place}>
            {clockTime(parts[Math.round(place * (parts.length - 1))]?.from ?? now, now)}
          </span>
        ))}
      </p>
    </div>
  );
});

const labelOf = ({ from, count, failures }: StripPart, now: number): string =>
  `${clockTime(from, now)} to ${clockTime(from + partMilliseconds, now)}: ${counted(count, 'event')}${failures > 0 ? `, ${failures} failed` : ''}`;

function toggled({ at, ...filter }: EventFilter, from: number): EventFilter {
  return at === from ? filter : { ...filter, at: from };
}
