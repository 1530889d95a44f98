import { deadlineWords } from '../../state/forced-words.ts';
import { heldPods, holdingBudgets, remedyOf } from '../../state/held.ts';
import { asOfWords, momentOf } from '../../state/seen-moment.ts';
import type { BudgetView, LeavingView } from '../../state/types.ts';
import { duration, timeOfDay } from '../../state/words.ts';

/** Why a node leaves, without Drover's terms. */
const causes: Readonly<Record<LeavingView['cause'], string>> = {
  terminating: 'Auto Scaling terminates the instance',
  'spot-interruption': 'EC2 takes the spot instance back',
  'capacity-reservation': 'EC2 takes the reserved capacity back',
  rebalance: 'EC2 advises to leave soon',
  'scheduled-change': 'AWS has planned work on the machine',
  'instance-gone': 'the instance is gone',
  swept: 'the sweep found it waiting',
};

interface DrainProps {
  readonly leaving: LeavingView;
  readonly budgets: readonly BudgetView[];
  readonly now: number;
}

/** A drain: its deadline, the pods that it waits for, and what would help. */
export function Drain({ leaving, budgets, now }: DrainProps) {
  const holding = holdingBudgets(leaving);
  const lasts = duration(momentOf(leaving, now) - leaving.since);
  return (
    <div class="drain" data-held={holding.length > 0 ? '' : undefined}>
      <p>
        <strong>Drains</strong> {`for ${lasts} ${asOfWords(leaving, now, timeOfDay)}`.trim()}:{' '}
        {causes[leaving.cause]}.
      </p>
      <Deadline leaving={leaving} now={now} />
      <Waiting leaving={leaving} />
      {budgets
        .filter(({ name }) => holding.includes(name))
        .map((budget) => (
          <p key={budget.name} class="remedy">
            {remedyOf(budget)}.
          </p>
        ))}
    </div>
  );
}

/** The long bar: what is left until pods are deleted by force. */
function Deadline({ leaving, now }: Pick<DrainProps, 'leaving' | 'now'>) {
  const { since, until } = leaving;
  if (until === undefined) return <p class="quiet">It has no deadline: pods end in their own time.</p>;
  const left = Math.max(0, until - momentOf(leaving, now));
  const words = deadlineWords(leaving, now, timeOfDay);
  return (
    <div class="deadline">
      <progress max={Math.max(1, until - since)} value={left} aria-label={`Time of the drain: ${words}`} />
      <span>{words}</span>
    </div>
  );
}

function Waiting({ leaving }: Pick<DrainProps, 'leaving'>) {
  const pods = heldPods(leaving);
  if (pods.length === 0) return null;
  return (
    <>
      <p class="waits-for">Waits for</p>
      <ul class="holding">
        {pods.map(({ pod, reason, budgets }) => (
          <li key={pod} data-held={budgets.length > 0 ? '' : undefined}>
            <span class="name">{pod}</span> {reason}
          </li>
        ))}
        {leaving.andMore > 0 && <li>and {leaving.andMore} more</li>}
      </ul>
    </>
  );
}
