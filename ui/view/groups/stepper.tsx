import { useContext } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import type { GroupView } from '../../state/types.ts';
import { unitsOf } from '../../state/units.ts';

/** The desired capacity and, where the page may change it, a button for one less and one more within the bounds of the group. */
export const Stepper = ({ group }: { readonly group: GroupView }) => {
  const { canAct } = useContext(Doings);
  const { minSize, maxSize, desiredCapacity, inService, countsUnits, instances } = group;
  const inUse = instances.filter(({ lifecycleState }) => lifecycleState === 'InService');
  const reached = countsUnits ? unitsOf(group, inUse) : inService;
  const isShort = reached !== undefined && reached < desiredCapacity;
  const desired = (
    <span class="desired">
      <b>{desiredCapacity}</b> {countsUnits ? 'units desired' : 'desired'}
    </span>
  );
  return (
    <div class="capacity">
      <span class="in-service" data-short={isShort ? '' : undefined}>
        <b>{inService}</b> in service
      </span>
      {canAct ? (
        <span class="stepper">
          <ScaleButton group={group} to={desiredCapacity - 1} sign="−" allowed={desiredCapacity > minSize} />
          {desired}
          <ScaleButton group={group} to={desiredCapacity + 1} sign="+" allowed={desiredCapacity < maxSize} />
        </span>
      ) : (
        desired
      )}
      <span class="quiet">{`min ${minSize} · max ${maxSize}`}</span>
    </div>
  );
};

function ScaleButton({
  group: { autoScalingGroupName },
  to,
  sign,
  allowed,
}: {
  readonly group: GroupView;
  readonly to: number;
  readonly sign: string;
  readonly allowed: boolean;
}) {
  const { act } = useContext(Doings);
  return (
    <button
      type="button"
      class="scale"
      aria-label={`Set the desired capacity of ${autoScalingGroupName} to ${to}`}
      aria-disabled={allowed ? undefined : 'true'}
      onClick={() => {
        if (allowed) act({ action: 'scale', autoScalingGroupName, desiredCapacity: to });
      }}
    >
      {sign}
    </button>
  );
}
