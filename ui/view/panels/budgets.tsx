import { Capped } from '../../parts/capped.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import { remedyOf } from '../../state/held.ts';
import type { BudgetView } from '../../state/types.ts';

/** Budgets that allow nothing, with their numbers; the others as their number. */
export const Budgets = memo(({ budgets }: { readonly budgets: readonly BudgetView[] }) => {
  if (budgets.length === 0) return null;
  const strict = budgets.filter(({ allowed }) => allowed === 0);
  const others = budgets.length - strict.length;
  return (
    <Panel id="budgets" title="Budgets">
      <Capped items={strict} most={20}>
        {(budget) => (
          <li key={budget.name}>
            <span class="name">{budget.name}</span>
            <span>{remedyOf(budget)}</span>
            <span class="quiet">
              {budget.healthy} healthy, at least {budget.desired}
            </span>
          </li>
        )}
      </Capped>
      {others > 0 && (
        <p class="quiet">
          {strict.length === 0 ? '' : 'and '}
          {others.toLocaleString('en')} that {others === 1 ? 'allows' : 'allow'} a disruption
        </p>
      )}
    </Panel>
  );
});
