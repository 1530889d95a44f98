import { useState } from 'preact/hooks';
import type { Placed } from '../../state/condition.ts';
import type { BudgetView, PassView } from '../../state/types.ts';
import { counted } from '../../state/words.ts';
import { Card } from './card.tsx';
import { MovingRow } from './moving-row.tsx';

/** Of more instances than this each has one line. */
const mostCards = 4;
/** More lines than this would push the rest of the page away. */
const mostRows = 4;

/** The instances that leave, join or are not well, with the step that each is at. */
export function Motion({
  moving,
  selected,
  budgets,
  passes,
  now,
}: {
  readonly moving: readonly Placed[];
  readonly selected: string | undefined;
  readonly budgets: readonly BudgetView[];
  readonly passes: readonly PassView[];
  readonly now: number;
}) {
  const [showsAll, showAll] = useState(false);
  if (moving.length === 0) return null;
  const View = moving.length > mostCards ? MovingRow : Card;
  const isSelected = ({ instance }: Placed): boolean => instance.instanceId === selected;
  const shown = moving.filter((one, index) => showsAll || index < mostRows || isSelected(one));
  return (
    <section class="motion" aria-labelledby="motion">
      <h2 id="motion">Leaving and joining</h2>
      <ul class={moving.length > mostCards ? 'moving-rows' : 'cards'}>
        {shown.map((one) => (
          <View
            key={one.instance.instanceId}
            {...one}
            level={3}
            isSelected={isSelected(one)}
            budgets={budgets}
            passes={passes}
            now={now}
          />
        ))}
      </ul>
      {moving.length > mostRows && (
        <button type="button" class="show-all" onClick={() => showAll(!showsAll)}>
          {showsAll ? `Show only ${mostRows}` : `Show all ${counted(moving.length, 'instance')}`}
        </button>
      )}
    </section>
  );
}
