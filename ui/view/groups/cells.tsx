import { useContext } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import { memo } from '../../parts/memo.ts';
import { moveFocus } from '../../parts/move-focus.ts';
import { byId, crowd, type Placed } from '../../state/condition.ts';
import { holdingBudgets } from '../../state/held.ts';
import { matches, type Search } from '../../state/search.ts';
import type { InstanceView } from '../../state/types.ts';
import { counted, shortName } from '../../state/words.ts';

/** More cells than this are smaller, so that they fit one screen. */
const dense = 400;

interface CellsProps {
  readonly all: readonly Placed[];
  readonly search: Search;
  readonly selected: string | undefined;
}

/** Every instance as a small shape, by zone, in an order that stays. One cell is in the order of Tab; arrow keys move among all of them. */
export const Cells = memo(({ all, search, selected }: CellsProps) => {
  const zones = [...Map.groupBy(all, ({ instance }) => instance.availabilityZone)].toSorted(
    ([one], [other]) => one.localeCompare(other),
  );
  const reachable = all.some(({ instance }) => instance.instanceId === selected)
    ? selected
    : zones[0]?.[1].toSorted(byId)[0]?.instance.instanceId;
  return (
    <div
      class="zones"
      data-size={all.length > dense ? 'dense' : all.length > crowd ? 'crowd' : undefined}
      onKeyDown={moveFocus}
    >
      {zones.map(([zone, members]) => (
        <div
          key={zone}
          class="zone"
          role="group"
          aria-label={`${zone}: ${counted(members.length, 'instance')}`}
        >
          <p class="zone-name" aria-hidden="true">
            {zone} <span class="quiet">{zoneWords(members)}</span>
          </p>
          <div class="cells">
            {members.toSorted(byId).map((one) => (
              <Cell
                key={one.instance.instanceId}
                instance={one.instance}
                condition={one.condition}
                isFound={matches(one, search)}
                isSelected={one.instance.instanceId === selected}
                isReachable={one.instance.instanceId === reachable}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
});

function zoneWords(members: readonly Placed[]): string {
  const serving = members.filter(({ condition }) => condition === 'serving').length;
  return serving === members.length ? `${serving} serve` : `${serving} of ${members.length} serve`;
}

interface CellProps {
  readonly instance: InstanceView;
  readonly condition: Placed['condition'];
  readonly isFound: boolean;
  readonly isSelected: boolean;
  readonly isReachable: boolean;
}

const Cell = memo(({ instance, condition, isFound, isSelected, isReachable }: CellProps) => {
  const { select } = useContext(Doings);
  const label = labelOf(instance, condition);
  return (
    <button
      type="button"
      class="cell"
      data-condition={condition}
      data-held={instance.node?.leaving && holdingBudgets(instance.node.leaving).length > 0 ? '' : undefined}
      data-dim={isFound ? undefined : ''}
      aria-label={label}
      aria-pressed={isSelected}
      tabIndex={isReachable ? 0 : -1}
      title={label}
      onClick={() => select(instance.instanceId)}
    />
  );
});

function labelOf({ instanceId, node, lifecycleState }: InstanceView, condition: Placed['condition']): string {
  const state = condition === 'serving' ? 'serves' : `${condition}, ${lifecycleState}`;
  return [
    instanceId,
    ...(node ? [shortName(node.name)] : []),
    state,
    ...(node?.pods ? [counted(node.pods.length, 'pod')] : []),
  ].join(', ');
}
