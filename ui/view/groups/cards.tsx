import { Copy } from '../../parts/copy.tsx';
import { memo } from '../../parts/memo.ts';
import { type Condition, isInMotion, type Placed } from '../../state/condition.ts';
import type { GroupView, InstanceView } from '../../state/types.ts';
import { Buttons } from '../motion/buttons.tsx';
import { Machine } from '../motion/machine.tsx';
import { NodePart, NoNode } from '../motion/node.tsx';

/** The instances of a small group as cards. Instances that are moving are above the groups, and linked here. */
export const Cards = ({
  found,
  selected,
}: {
  readonly found: readonly Placed[];
  readonly selected: string | undefined;
}) => {
  const moving = found.filter(isInMotion);
  const staying = found.filter((one) => !isInMotion(one));
  return (
    <>
      {moving.length > 0 && <Above moving={moving} />}
      <ul class="cards">
        {staying.map(({ instance, group, condition }) => (
          <SmallCard
            key={instance.instanceId}
            instance={instance}
            role={group.role}
            groupName={group.autoScalingGroupName}
            condition={condition}
            isSelected={instance.instanceId === selected}
          />
        ))}
      </ul>
    </>
  );
};

const Above = ({ moving }: { readonly moving: readonly Placed[] }) => (
  <p class="above">
    {moving.map(({ instance: { instanceId, lifecycleState }, condition }) => (
      <a key={instanceId} href={`#${instanceId}`} data-condition={condition}>
        {instanceId} <span>{lifecycleState}</span>
      </a>
    ))}
  </p>
);

interface SmallCardProps {
  readonly instance: InstanceView;
  readonly role: GroupView['role'];
  readonly groupName: string;
  readonly condition: Condition;
  readonly isSelected: boolean;
}

/** An instance without what changes every second. */
const SmallCard = memo(({ instance, role, groupName, condition, isSelected }: SmallCardProps) => {
  const { instanceId, lifecycleState, node } = instance;
  return (
    <li
      class="card"
      id={instanceId}
      data-condition={condition}
      data-selected={isSelected ? '' : undefined}
      tabIndex={-1}
    >
      <div class="card-head">
        <h4 class="instance-id">{instanceId}</h4>
        <Copy text={instanceId} what={`the id ${instanceId}`} />
        <span class="state">{lifecycleState}</span>
      </div>
      <Machine instance={instance} groupName={groupName} />
      {node ? <NodePart node={node} /> : <NoNode instance={instance} role={role} />}
      <Buttons instance={instance} />
    </li>
  );
});
