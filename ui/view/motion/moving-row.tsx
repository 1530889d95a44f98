import { failureOf } from '../../state/failure.ts';
import { deadlineWords } from '../../state/forced-words.ts';
import { holdingBudgets } from '../../state/held.ts';
import { stepsOfJoining, stepsOfLeaving } from '../../state/steps.ts';
import { clockTime } from '../../state/words.ts';
import { CardContent, type CardProps } from './card.tsx';

/** An instance in a line; opened, with all that is known of it. */
export const MovingRow = (props: CardProps) => (
  <li
    class="card moving-row"
    id={props.instance.instanceId}
    data-condition={props.condition}
    data-selected={props.isSelected ? '' : undefined}
  >
    <details open={props.isSelected === true}>
      <summary>
        <span class="instance-id">{props.instance.instanceId}</span>
        <span class="state">{props.instance.lifecycleState}</span>
        <span class="words">{wordsOf(props)}</span>
      </summary>
      <CardContent {...props} />
    </details>
  </li>
);

/** The step that it is at, what holds it, and its deadline. */
function wordsOf({ instance, group, condition, now }: CardProps): string {
  if (condition === 'failing') return failureOf(instance);
  const steps = condition === 'leaving' ? stepsOfLeaving(instance, group) : stepsOfJoining(instance, group);
  const leaving = instance.node?.leaving;
  const budgets = leaving ? holdingBudgets(leaving) : [];
  const step = steps?.names[steps.at] ?? condition;
  return [
    ...(condition === 'joining' && instance.lastPass !== undefined
      ? [`${step}: ${instance.lastPass}`]
      : [step]),
    ...(budgets.length === 0 ? [] : [`held by ${budgets.join(', ')}`]),
    ...(leaving?.until === undefined ? [] : [deadlineWords(leaving, now, clockTime)]),
  ].join(' · ');
}
