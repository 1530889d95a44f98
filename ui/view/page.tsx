import { useMemo } from 'preact/hooks';
import type { Asked } from '../address.ts';
import { eventsOf, lastEvents } from '../state/events.ts';
import type { HeardState } from '../state/heard-state.ts';
import { TimeLine } from './events/time-line.tsx';
import { Groups } from './groups/groups.tsx';
import { HeadlinePart } from './headline.tsx';
import { Budgets } from './panels/budgets.tsx';
import { Credentials } from './panels/credentials.tsx';
import { Elsewhere } from './panels/elsewhere.tsx';
import { Etcd } from './panels/etcd.tsx';
import { Queues } from './panels/queues.tsx';
import { Requests } from './panels/requests.tsx';
import { Rolls } from './panels/rolls.tsx';
import { Problems } from './problems.tsx';
import { ReportPart } from './report/report.tsx';
import { CapacityPart } from './timeline/capacity.tsx';

const minute = 60_000;
/** One list, so that a view with it is not rendered again. */
const none = [] as const;

/** What the reader has asked for. */
export interface PageView extends Asked {
  readonly setSearch: (search: Asked['search']) => void;
  readonly setFilter: (filter: Asked['filter']) => void;
  readonly setReport: (report: Asked['report']) => void;
  /** The instance that is shown with all that is known of it. */
  readonly selected: string | undefined;
}

interface PageProps extends HeardState {
  readonly view: PageView;
}

/** Everything below the masthead. What depends on the time gets it; the rest is not rendered again every second. */
export function Page({ state, oldSince, view }: PageProps) {
  const { groups, now, passes, news, problems } = state;
  const { search, setSearch, filter, setFilter, selected } = view;
  const events = useMemo(() => eventsOf({ ...(passes && { passes }), news }), [passes, news]);
  const last = useMemo(() => lastEvents(events, groups), [events, groups]);
  const wholeMinute = Math.floor(now / minute) * minute;
  return (
    <>
      <HeadlinePart state={state} oldSince={oldSince} />
      <Problems problems={problems} now={wholeMinute} />
      <Groups
        {...{ groups, problems, last, search, setSearch, selected, now }}
        budgets={state.budgets}
        otherNodes={state.otherNodes}
        waitingPods={state.waitingPods ?? none}
      />
      <div class="columns">
        <div class="column">
          {state.rolls && <Rolls rolls={state.rolls} now={wholeMinute} />}
          <TimeLine
            {...{ events, groups, filter, setFilter }}
            isRead={passes !== undefined}
            now={wholeMinute}
          />
          <CapacityPart groups={groups} problems={state.scheduleProblems} now={now} />
        </div>
        <div class="column">
          {state.requests && <Requests requests={state.requests} now={wholeMinute} />}
          <Budgets budgets={state.budgets} />
          <Etcd etcd={state.etcd} status={state.etcdStatus} now={wholeMinute} />
          {state.credentials && <Credentials credentials={state.credentials} now={wholeMinute} />}
          {state.queues && <Queues queues={state.queues} />}
          {state.source === 'account' && <Elsewhere />}
        </div>
      </div>
      {state.hasReports && state.clusterName !== undefined && (
        <ReportPart
          cluster={state.clusterName}
          groups={groups.map(({ autoScalingGroupName }) => autoScalingGroupName)}
          asked={view.report}
          setAsked={view.setReport}
          now={wholeMinute}
        />
      )}
    </>
  );
}
