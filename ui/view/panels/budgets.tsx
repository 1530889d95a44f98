import { Capped } from '../../parts/capped.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import { remedyOf } from '../../state/held.ts';
import type { BudgetView } from '../../state/types.ts';

/** Budgets with their numbers, those that allow nothing first. */
export const Budgets = memo(({ budgets }: { readonly budgets: readonly BudgetView[] }) =>
  budgets.length === 0 ? null : (
    <Panel id="budgets" title="Budgets">
      <Capped
        items={budgets.toSorted((one, other) => Number(one.allowed > 0) - Number(other.allowed > 0))}
        most={20}
      >
        {(budget) => (
          <li key={budget.name} data-strict={budget.allowed === 0 ? '' : undefined}>
            <span class="name">{budget.name}</span>
            <span>{remedyOf(budget)}</span>
            <span class="quiet">
              {budget.healthy} healthy, at least {budget.desired}
            </span>
          </li>
        )}
      </Capped>
    </Panel>
  ),
);
