import { useState } from 'preact/hooks';
import { byId, crowd, inMotion, isInMotion, type Placed } from '../../state/condition.ts';
import { counted } from '../../state/words.ts';
import { InstanceRow } from '../instance/row.tsx';
import type { GroupProps } from './group.tsx';

/** So many are shown with all that is known of each. */
const mostOpen = 4;

interface InstancesProps extends Pick<GroupProps, 'budgets' | 'last' | 'selected' | 'now'> {
  readonly found: readonly Placed[];
  /** There are too many for lines: those that serve have only a cell. */
  readonly isCrowd: boolean;
}

/** The instances of a group as lines: first those that leave, join or are not well. */
export function Instances({ found, isCrowd, selected, budgets, last, now }: InstancesProps) {
  const [showsAll, showAll] = useState(false);
  const moving = inMotion(found);
  const all = isCrowd ? moving : [...moving, ...found.filter((one) => !isInMotion(one)).toSorted(byId)];
  const most = isCrowd ? mostOpen : crowd;
  const isSelected = ({ instance }: Placed): boolean => instance.instanceId === selected;
  const shown = showsAll ? all : all.slice(0, most);
  const chosen = found.filter((one) => isSelected(one) && !shown.includes(one));
  return (
    <>
      <ul class="instances">
        {[...shown, ...chosen].map((one) => (
          <InstanceRow
            key={one.instance.instanceId}
            {...one}
            budgets={budgets}
            last={last.get(one.instance.instanceId)}
            now={now}
            opens={isInMotion(one) && moving.length <= mostOpen}
            isSelected={isSelected(one)}
          />
        ))}
      </ul>
      {all.length > most && (
        <button type="button" class="show-all" onClick={() => showAll(!showsAll)}>
          {showsAll ? `Show only ${most}` : `Show all ${counted(all.length, 'instance')}`}
        </button>
      )}
    </>
  );
}
