import { useContext } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import type { Condition } from '../../state/condition.ts';
import type { GroupSummary } from '../../state/group-health.ts';
import type { GroupView } from '../../state/types.ts';

type Counts = GroupSummary['counts'];

interface FiguresProps {
  readonly group: GroupView;
  readonly ready: number | undefined;
  readonly counts: Counts;
}

const shown: readonly (readonly [Condition, string])[] = [
  ['failing', 'not well'],
  ['leaving', 'leaving'],
  ['joining', 'joining'],
  ['cordoned', 'cordoned'],
  ['aside', 'aside'],
];

/** The figures of a group, without those that are zero. Where the page may change it, its desired capacity has buttons. */
export const Figures = ({ group, ready, counts }: FiguresProps) => {
  const { canAct } = useContext(Doings);
  const { minSize, maxSize, desiredCapacity, countsUnits } = group;
  const desired = (
    <span class="desired">
      <b>{desiredCapacity}</b> {countsUnits ? 'units desired' : 'desired'}
    </span>
  );
  return (
    <div class="figures-of-group">
      {canAct ? (
        <span class="stepper">
          <ScaleButton group={group} to={desiredCapacity - 1} sign="−" allowed={desiredCapacity > minSize} />
          {desired}
          <ScaleButton group={group} to={desiredCapacity + 1} sign="+" allowed={desiredCapacity < maxSize} />
        </span>
      ) : (
        desired
      )}
      <span class="ready" data-short={ready !== undefined && ready < desiredCapacity ? '' : undefined}>
        <b>{ready ?? '?'}</b> {group.role === 'etcd' ? 'in service' : 'Ready'}
      </span>
      {shown.map(
        ([condition, word]) =>
          counts[condition] > 0 && (
            <span key={condition} data-condition={condition} class="count">
              <b>{counts[condition]}</b> {word}
            </span>
          ),
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
