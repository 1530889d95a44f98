import { useContext, useMemo, useState } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import { Toggle } from '../../parts/toggle.tsx';
import { crowd, placed } from '../../state/condition.ts';
import type { Event } from '../../state/events.ts';
import { summaryOf } from '../../state/group-health.ts';
import { isSearching, matches, type Search } from '../../state/search.ts';
import type { BudgetView, GroupView, ProblemView } from '../../state/types.ts';
import { counted } from '../../state/words.ts';
import { Cells } from './cells.tsx';
import { Figures } from './figures.tsx';
import { Instances } from './instances.tsx';

export interface GroupProps {
  readonly group: GroupView;
  readonly problems: readonly ProblemView[];
  readonly budgets: readonly BudgetView[];
  readonly last: ReadonlyMap<string, Event>;
  readonly search: Search;
  readonly selected: string | undefined;
  /** There is room for its instances. */
  readonly hasRoom: boolean;
  readonly now: number;
}

/** A group in a row with a cell for each instance. It opens where something is wrong or moves, unless the reader has closed it. */
export function GroupPart(props: GroupProps) {
  const { group, problems, search, selected, hasRoom } = props;
  const { autoScalingGroupName: name, role, instances } = group;
  // A name may have spaces, an id may not.
  const id = `group-${encodeURIComponent(name)}`;
  const all = useMemo(() => placed([group]), [group]);
  const found = useMemo(() => all.filter((one) => matches(one, search)), [all, search]);
  const { health, ready, counts } = useMemo(() => summaryOf(group, problems), [group, problems]);
  const [chosen, choose] = useState<boolean>();
  const isAsked = selected !== undefined || (isSearching(search) && found.length > 0);
  const isOpen = chosen ?? (isAsked || hasRoom || health === 'Degraded' || health === 'Progressing');
  return (
    <section class="group" aria-labelledby={id}>
      <div class="group-head">
        <h3>
          <Toggle isOpen={isOpen} onToggle={choose}>
            <span id={id}>{name}</span>
          </Toggle>
        </h3>
        <span class="health" data-health={health}>
          {health}
        </span>
        {role !== undefined && <span class="role">{role}</span>}
        {group.paused !== undefined && <span class="paused">{group.paused}</span>}
        <Figures group={group} ready={ready} counts={counts} />
      </div>
      {instances.length > 0 && <Cells all={all} search={search} selected={selected} />}
      {isOpen && (
        <>
          {instances.length === 0 && (
            <p class="nothing">{group.instancesUnknown ? 'Its instances are unknown.' : 'No instances.'}</p>
          )}
          {instances.length > 0 && found.length === 0 && (
            <p class="nothing">None of its {counted(instances.length, 'instance')} matches.</p>
          )}
          <Instances {...props} found={found} isCrowd={instances.length > crowd && !isSearching(search)} />
          <Links name={name} />
        </>
      )}
    </section>
  );
}

function Links({ name }: { readonly name: string }) {
  const { showEvents, showReport, links } = useContext(Doings);
  return (
    <p class="links">
      <button type="button" onClick={() => showEvents(name)}>
        Events of {name}
      </button>
      {showReport && (
        <button type="button" onClick={() => showReport(name)}>
          Report of {name}
        </button>
      )}
      {links && (
        <a href={links.group(name)} target="_blank" rel="noreferrer">
          Auto Scaling console
        </a>
      )}
    </p>
  );
}
