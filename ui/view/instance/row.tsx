import { useEffect, useState } from 'preact/hooks';
import { Copy } from '../../parts/copy.tsx';
import { Toggle } from '../../parts/toggle.tsx';
import type { Placed } from '../../state/condition.ts';
import type { Event } from '../../state/events.ts';
import { failureOf } from '../../state/failure.ts';
import { deadlineWords } from '../../state/forced-words.ts';
import { holdingBudgets } from '../../state/held.ts';
import { stepsOfJoining, stepsOfLeaving } from '../../state/steps.ts';
import type { BudgetView } from '../../state/types.ts';
import { age, clockTime, dateTime, shortName } from '../../state/words.ts';
import { Buttons } from './buttons.tsx';
import { Content } from './content.tsx';

export interface RowProps extends Placed {
  readonly budgets: readonly BudgetView[];
  /** What has last happened to it. */
  readonly last: Event | undefined;
  readonly now: number;
  /** It is open unless the reader closes it. */
  readonly opens: boolean;
  /** The reader has chosen it. */
  readonly isSelected: boolean;
}

/** An instance in a line; opened, with all that is known of it. */
export function InstanceRow(props: RowProps) {
  const { instance, condition, last, now, opens, isSelected } = props;
  const { instanceId, lifecycleState, launchedAt, node } = instance;
  const [chosen, choose] = useState<boolean>();
  useEffect(() => {
    if (isSelected) choose(undefined);
  }, [isSelected]);
  const isOpen = chosen ?? (opens || isSelected);
  return (
    <li class="card" id={instanceId} data-condition={condition} data-selected={isSelected ? '' : undefined}>
      <div class="card-head">
        <h4 class="instance-id">
          <Toggle isOpen={isOpen} onToggle={choose}>
            {instanceId}
          </Toggle>
        </h4>
        <Copy text={instanceId} what={`the id ${instanceId}`} />
        {node && <span class="node-short">{shortName(node.name)}</span>}
        <span class="state">{lifecycleState}</span>
        {launchedAt !== undefined && (
          <span class="age" title={`Launched ${dateTime(launchedAt)} UTC`}>
            {age(now - launchedAt)} old
          </span>
        )}
        <span class="words">{isOpen ? '' : wordsOf(props)}</span>
        <Buttons instance={instance} />
      </div>
      {last && (
        <p class="last-event" title={last.text}>
          {clockTime(last.at, now)} {last.text}
        </p>
      )}
      {isOpen && <Content {...props} />}
    </li>
  );
}

/** Of one that moves or is not well: its step, what holds it, and its deadline; of the others, its machine. */
function wordsOf({ instance, group, condition, now }: RowProps): string {
  if (condition === 'failing') return failureOf(instance);
  if (condition !== 'leaving' && condition !== 'joining')
    return [instance.availabilityZone, instance.instanceType, instance.market]
      .filter((fact) => fact !== undefined)
      .join(' · ');
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
