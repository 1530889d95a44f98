import { useMemo } from 'preact/hooks';
import { crowd, inMotion, placed } from '../state/condition.ts';
import type { HeardState } from '../state/heard-state.ts';
import { Groups, type GroupsView } from './groups/groups.tsx';
import { HeadlinePart } from './headline.tsx';
import { Motion } from './motion/motion.tsx';
import { Budgets } from './panels/budgets.tsx';
import { Credentials } from './panels/credentials.tsx';
import { Elsewhere } from './panels/elsewhere.tsx';
import { Etcd } from './panels/etcd.tsx';
import { News } from './panels/news.tsx';
import { Passes } from './panels/passes.tsx';
import { Problems } from './panels/problems.tsx';
import { Queues } from './panels/queues.tsx';
import { Requests } from './panels/requests.tsx';
import { CapacityPart } from './timeline/capacity.tsx';

const minute = 60_000;
/** One list, so that a view with it is not rendered again. */
const none = [] as const;

interface PageProps extends HeardState {
  readonly view: GroupsView;
}

/** Everything below the masthead. What depends on the time gets it; the rest is not rendered again every second. */
export function Page({ state, oldSince, view }: PageProps) {
  const { groups, now } = state;
  const moving = useMemo(() => inMotion(placed(groups)), [groups]);
  const wholeMinute = Math.floor(now / minute) * minute;
  const capacity = <CapacityPart groups={groups} problems={state.scheduleProblems} now={now} />;
  // The heatmap of a large group comes first, so that all its nodes are on the first screen.
  const isCrowded = groups.some(({ instances }) => instances.length > crowd);
  return (
    <>
      <HeadlinePart state={state} oldSince={oldSince} />
      <div class="columns">
        <div class="column">
          <Motion
            moving={moving}
            selected={view.selected}
            budgets={state.budgets}
            passes={state.passes ?? none}
            now={now}
          />
          {!isCrowded && capacity}
          <Groups
            groups={groups}
            otherNodes={state.otherNodes}
            waitingPods={state.waitingPods ?? none}
            now={now}
            {...view}
          />
          {isCrowded && capacity}
        </div>
        <div class="column">
          <Problems problems={state.problems} />
          <News news={state.news} />
          {state.passes && <Passes passes={state.passes} />}
          {state.requests && <Requests requests={state.requests} now={wholeMinute} />}
          <Budgets budgets={state.budgets} />
          <Etcd etcd={state.etcd} status={state.etcdStatus} now={wholeMinute} />
          {state.credentials && <Credentials credentials={state.credentials} now={wholeMinute} />}
          {state.queues && <Queues queues={state.queues} />}
          {state.source === 'account' && <Elsewhere />}
        </div>
      </div>
    </>
  );
}
