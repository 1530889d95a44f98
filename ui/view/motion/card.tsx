import { Copy } from '../../parts/copy.tsx';
import { Heading } from '../../parts/section.tsx';
import type { Placed } from '../../state/condition.ts';
import type { BudgetView, PassView } from '../../state/types.ts';
import { Buttons } from './buttons.tsx';
import { Drain } from './drain.tsx';
import { Heartbeats } from './heartbeats.tsx';
import { History } from './history.tsx';
import { Machine } from './machine.tsx';
import { NodePart, NoNode } from './node.tsx';
import { Progress } from './progress.tsx';

export interface CardProps extends Placed {
  readonly level: 3 | 4;
  readonly budgets: readonly BudgetView[];
  readonly passes: readonly PassView[];
  readonly now: number;
  /** The reader has chosen it. */
  readonly isSelected?: boolean;
}

/** An instance with all that is known of it. */
export const Card = (props: CardProps) => (
  <li
    class="card"
    id={props.instance.instanceId}
    data-condition={props.condition}
    data-selected={props.isSelected ? '' : undefined}
  >
    <CardContent {...props} />
  </li>
);

/** The same without the frame. */
export function CardContent(props: CardProps) {
  const { instance, group, condition, level, now } = props;
  const { instanceId, lifecycleState, node } = instance;
  return (
    <>
      <div class="card-head">
        <Heading level={level} class="instance-id">
          {instanceId}
        </Heading>
        <Copy text={instanceId} what={`the id ${instanceId}`} />
        <span class="state">{lifecycleState}</span>
      </div>
      <Machine instance={instance} groupName={group.autoScalingGroupName} />
      <Progress instance={instance} group={group} condition={condition} />
      {node?.leaving && <Drain leaving={node.leaving} budgets={props.budgets} now={now} />}
      {!node?.leaving && instance.lastPass !== undefined && (
        <p class="last-pass">
          {condition === 'joining' ? 'Joins' : 'Leaves'}: {instance.lastPass}
        </p>
      )}
      {node ? <NodePart node={node} /> : <NoNode instance={instance} role={group.role} />}
      <Heartbeats waits={instance.waits} now={now} />
      {condition !== 'serving' && <History instanceId={instanceId} passes={props.passes} />}
      <Buttons instance={instance} />
    </>
  );
}
