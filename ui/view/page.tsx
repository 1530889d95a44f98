import { useMemo } from 'preact/hooks';
import { crowd, inMotion, placed } from '../state/condition.ts';
import type { DashboardState } from '../state/types.ts';
import { Groups, type GroupsView } from './groups/groups.tsx';
import { HeadlinePart } from './headline.tsx';
import { Motion } from './motion/motion.tsx';
import { Budgets } from './panels/budgets.tsx';
import { Credential } from './panels/credential.tsx';
import { Etcd } from './panels/etcd.tsx';
import { News } from './panels/news.tsx';
import { Passes } from './panels/passes.tsx';
import { Queues } from './panels/queues.tsx';
import { Requests } from './panels/requests.tsx';
import { CapacityPart } from './timeline/capacity.tsx';

const minute = 60_000;

/** Everything below the masthead. What depends on the time gets it; the rest is not rendered again every second. */
export function Page({ state, view }: { readonly state: DashboardState; readonly view: GroupsView }) {
  const { groups, now } = state;
  const moving = useMemo(() => inMotion(placed(groups)), [groups]);
  const wholeMinute = Math.floor(now / minute) * minute;
  const capacity = <CapacityPart groups={groups} problems={state.scheduleProblems} now={now} />;
  // The heatmap of a large group comes first, so that all its nodes are on the first screen.
  const isCrowded = groups.some(({ instances }) => instances.length > crowd);
  return (
    <>
      <HeadlinePart state={state} />
      <div class="columns">
        <div class="column">
          <Motion moving={moving} budgets={state.budgets} passes={state.passes} now={now} />
          {!isCrowded && capacity}
          <Groups
            groups={groups}
            otherNodes={state.otherNodes}
            waitingPods={state.waitingPods}
            now={now}
            {...view}
          />
          {isCrowded && capacity}
        </div>
        <div class="column">
          <News news={state.news} />
          <Passes passes={state.passes} />
          <Requests requests={state.requests} now={wholeMinute} />
          <Budgets budgets={state.budgets} />
          <Etcd etcd={state.etcd} now={wholeMinute} />
          <Credential credential={state.credential} now={wholeMinute} />
          <Queues queues={state.queues} />
        </div>
      </div>
    </>
  );
}
