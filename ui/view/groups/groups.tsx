import { useContext } from 'preact/hooks';
import { Capped } from '../../parts/capped.tsx';
import { Doings } from '../../parts/doing.ts';
import { memo } from '../../parts/memo.ts';
import { crowd } from '../../state/condition.ts';
import type { Event } from '../../state/events.ts';
import type { Search } from '../../state/search.ts';
import type { BudgetView, GroupView, NodeView, PodView, ProblemView } from '../../state/types.ts';
import { NodePart } from '../instance/node.tsx';
import { Legend } from '../legend.tsx';
import { Pods } from '../pods.tsx';
import { GroupPart } from './group.tsx';
import { SearchForm } from './search-form.tsx';

/** On a page with no more instances than this there is room for all. */
const mostWithRoom = crowd;

interface GroupsProps {
  readonly groups: readonly GroupView[];
  readonly problems: readonly ProblemView[];
  readonly budgets: readonly BudgetView[];
  readonly last: ReadonlyMap<string, Event>;
  readonly search: Search;
  readonly setSearch: (search: Search) => void;
  /** The instance that is shown with all that is known of it. */
  readonly selected: string | undefined;
  readonly otherNodes: readonly NodeView[];
  readonly waitingPods: readonly PodView[];
  readonly now: number;
}

export function Groups({
  groups,
  otherNodes,
  waitingPods,
  search,
  setSearch,
  selected,
  ...rest
}: GroupsProps) {
  const hasRoom = groups.reduce((sum, { instances }) => sum + instances.length, 0) <= mostWithRoom;
  const hasPods =
    groups.some(({ instances }) => instances.some(({ node }) => node?.pods)) || waitingPods.length > 0;
  const { canAct } = useContext(Doings);
  return (
    <section class="groups" aria-labelledby="groups">
      <div class="groups-head">
        <h2 id="groups" tabIndex={-1}>
          Auto Scaling groups
        </h2>
        <SearchForm groups={groups} search={search} setSearch={setSearch} />
        {hasPods && <Legend />}
      </div>
      {groups.length === 0 && (
        <p class="nothing">
          {canAct
            ? 'No groups yet: create one with the AWS CLI, or wait for the story to.'
            : 'No group that Drover manages is known.'}
        </p>
      )}
      {groups.map((group) => {
        const own = group.instances.find(({ instanceId }) => instanceId === selected)?.instanceId;
        return (
          <GroupPart
            key={group.autoScalingGroupName}
            group={group}
            search={search}
            selected={own}
            hasRoom={hasRoom}
            {...rest}
          />
        );
      })}
      {otherNodes.length > 0 && <OtherNodes nodes={otherNodes} />}
      {waitingPods.length > 0 && <WaitingPods pods={waitingPods} />}
    </section>
  );
}

const OtherNodes = memo(({ nodes }: { readonly nodes: readonly NodeView[] }) => (
  <section class="group" aria-labelledby="other-nodes">
    <div class="group-head">
      <h3 id="other-nodes">Nodes of no group</h3>
    </div>
    <Capped items={nodes} most={crowd} class="instances">
      {(node) => (
        <li key={node.name} class="card" data-condition="aside">
          <NodePart node={node} />
        </li>
      )}
    </Capped>
  </section>
));

const WaitingPods = memo(({ pods }: { readonly pods: readonly PodView[] }) => (
  <section class="group" aria-labelledby="waiting-pods">
    <div class="group-head">
      <h3 id="waiting-pods">Pods without a node</h3>
    </div>
    <Pods pods={pods} />
  </section>
));
