import { memo } from '../../parts/memo.ts';
import { crowd, isInMotion, placed } from '../../state/condition.ts';
import { matches, type Search } from '../../state/search.ts';
import type { GroupView } from '../../state/types.ts';
import { counted } from '../../state/words.ts';
import { Card } from '../motion/card.tsx';
import { Cards } from './cards.tsx';
import { Heatmap } from './heatmap.tsx';
import { Stepper } from './stepper.tsx';

interface GroupProps {
  readonly group: GroupView;
  readonly search: Search;
  readonly selected: string | undefined;
  readonly now: number;
}

export const GroupPart = memo(({ group, search, selected, now }: GroupProps) => {
  const { autoScalingGroupName: name, role, instances } = group;
  // A name may have spaces, an id may not.
  const id = `group-${encodeURIComponent(name)}`;
  const all = placed([group]);
  const found = all.filter((one) => matches(one, search));
  const chosen = all.find(({ instance }) => instance.instanceId === selected);
  const isCrowd = instances.length > crowd;
  return (
    <section class="group" aria-labelledby={id}>
      <div class="group-head">
        <h3 id={id}>{name}</h3>
        {role !== undefined && <span class="role">{role}</span>}
        {group.paused !== undefined && <span class="paused">{group.paused}</span>}
        <Stepper group={group} />
      </div>
      {instances.length === 0 && (
        <p class="nothing">{group.instancesUnknown ? 'Its instances are unknown.' : 'No instances.'}</p>
      )}
      {instances.length > 0 && found.length === 0 && (
        <p class="nothing">None of its {counted(instances.length, 'instance')} matches.</p>
      )}
      {isCrowd ? (
        <Heatmap all={all} search={search} selected={selected} />
      ) : (
        <Cards found={found} selected={selected} />
      )}
      {isCrowd && chosen && !isInMotion(chosen) && (
        <ul class="cards chosen">
          <Card key={chosen.instance.instanceId} {...chosen} level={4} budgets={[]} passes={[]} now={now} />
        </ul>
      )}
    </section>
  );
});
