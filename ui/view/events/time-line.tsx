import { useContext, useMemo, useState } from 'preact/hooks';
import { DroverCommand } from '../../parts/copy.tsx';
import { Doings } from '../../parts/doing.ts';
import { Panel } from '../../parts/section.tsx';
import {
  type Event,
  type EventFilter,
  filterEvents,
  foldEvents,
  isFiltering,
  noFilter,
} from '../../state/events.ts';
import type { GroupView } from '../../state/types.ts';
import { counted } from '../../state/words.ts';
import { EventRow } from './event-row.tsx';
import { HourStrip } from './hour-strip.tsx';

/** The first of the list; more are shown in steps of it. */
const step = 20;

interface TimeLineProps {
  readonly events: readonly Event[];
  readonly groups: readonly GroupView[];
  readonly filter: EventFilter;
  readonly setFilter: (filter: EventFilter) => void;
  /** The passes of Drover were read. */
  readonly isRead: boolean;
  /** In whole minutes. */
  readonly now: number;
}

/** What has happened, the newest first, of an instance, a group or a part of the last hour. */
export function TimeLine({ events, groups, filter, setFilter, isRead, now }: TimeLineProps) {
  const found = useMemo(() => filterEvents(events, filter, groups), [events, filter, groups]);
  const folded = useMemo(() => foldEvents(found), [found]);
  const [most, setMost] = useState(step);
  return (
    <Panel id="events" title="What happened">
      {events.length > 0 && <HourStrip events={events} filter={filter} setFilter={setFilter} now={now} />}
      {(events.length > 0 || isFiltering(filter)) && (
        <FilterForm filter={filter} setFilter={setFilter} found={found.length} all={events.length} />
      )}
      {folded.length === 0 && <Nothing hasEvents={events.length > 0} isRead={isRead} />}
      <ol>
        {folded.slice(0, most).map((event) => (
          <EventRow key={event.key} event={event} now={now} />
        ))}
      </ol>
      {folded.length > most && (
        <button type="button" class="show-more" onClick={() => setMost(most + step)}>
          Show {Math.min(step, folded.length - most)} older
        </button>
      )}
    </Panel>
  );
}

interface FilterFormProps extends Pick<TimeLineProps, 'filter' | 'setFilter'> {
  readonly found: number;
  readonly all: number;
}

const FilterForm = ({ filter, setFilter, found, all }: FilterFormProps) => (
  <form class="search" aria-label="Filter of the time line" onSubmit={(event) => event.preventDefault()}>
    <label>
      <span>Of</span>
      <input
        type="search"
        placeholder="instance, node, group"
        value={filter.of}
        onInput={({ currentTarget }) => setFilter({ ...filter, of: currentTarget.value })}
      />
    </label>
    <label>
      <input
        type="checkbox"
        checked={filter.failures}
        onChange={({ currentTarget }) => setFilter({ ...filter, failures: currentTarget.checked })}
      />
      <span>Failures only</span>
    </label>
    <p role="status">{isFiltering(filter) && `${found} of ${counted(all, 'event')}`}</p>
    {isFiltering(filter) && (
      <button type="button" onClick={() => setFilter(noFilter)}>
        Show all events
      </button>
    )}
  </form>
);

function Nothing({ hasEvents, isRead }: { readonly hasEvents: boolean; readonly isRead: boolean }) {
  const { canAct } = useContext(Doings);
  if (hasEvents) return <p class="nothing">No event matches.</p>;
  if (!isRead)
    return (
      <p class="nothing">
        The logs were not read. <DroverCommand args="events --follow" what="the command for: events" />
      </p>
    );
  return (
    <p class="nothing">
      {canAct ? 'Nothing yet. Terminate an instance to see its drain.' : 'Nothing in the last hour.'}
    </p>
  );
}
