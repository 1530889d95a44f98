import { useContext } from 'preact/hooks';
import { Capped } from '../../parts/capped.tsx';
import { Doings } from '../../parts/doing.ts';
import { memo } from '../../parts/memo.ts';
import { crowd } from '../../state/condition.ts';
import type { Search } from '../../state/search.ts';
import type { GroupView, NodeView, PodView } from '../../state/types.ts';
import { Legend } from '../legend.tsx';
import { NodePart } from '../motion/node.tsx';
import { Pods } from '../pods.tsx';
import { GroupPart } from './group.tsx';
import { SearchForm } from './search-form.tsx';

/** What the reader has asked of the groups. */
export interface GroupsView {
  readonly search: Search;
  readonly setSearch: (search: Search) => void;
  /** The instance that is shown with all that is known of it. */
  readonly selected: string | undefined;
}

interface GroupsProps extends GroupsView {
  readonly groups: readonly GroupView[];
  readonly otherNodes: readonly NodeView[];
  readonly waitingPods: readonly PodView[];
  readonly now: number;
}

export function Groups({ groups, otherNodes, waitingPods, search, setSearch, selected, now }: GroupsProps) {
  const hasPods =
    groups.some(({ instances }) => instances.some(({ node }) => node?.pods)) || waitingPods.length > 0;
  const { canAct } = useContext(Doings);
  return (
    <section class="groups" aria-labelledby="groups">
      <div class="groups-head">
        <h2 id="groups" tabIndex={-1}>
          Auto Scaling groups
        </h2>
        {hasPods && <Legend />}
      </div>
      <SearchForm groups={groups} search={search} setSearch={setSearch} />
      {groups.length === 0 && (
        <p class="nothing">
          {canAct
            ? 'No groups yet: create one with the AWS CLI, or wait for the story to.'
            : 'No group that Drover manages is known.'}
        </p>
      )}
      {groups.map((group) => {
        const own = group.instances.find(({ instanceId }) => instanceId === selected)?.instanceId;
        // Only a card that shows the time is rendered again every second.
        return (
          <GroupPart
            key={group.autoScalingGroupName}
            group={group}
            search={search}
            selected={own}
            now={own === undefined ? 0 : now}
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
    <Capped items={nodes} most={crowd} class="cards">
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
