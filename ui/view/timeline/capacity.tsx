import { useMemo } from 'preact/hooks';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { DroverCommand } from '../../parts/copy.tsx';
import { windowOf } from '../../state/time-window.ts';
import type { CapacityView, GroupView } from '../../state/types.ts';
import { Axis } from './axis.tsx';
import { GroupLine } from './group-line.tsx';

interface Held {
  readonly name: string;
  readonly capacity: CapacityView;
}

/** Floors, holds and schedules on a time line that all groups share. */
export function CapacityPart({
  groups,
  problems,
  now,
}: {
  readonly groups: readonly GroupView[];
  readonly problems: readonly string[];
  readonly now: number;
}) {
  const held = useMemo(() => groups.flatMap(heldOf), [groups]);
  // Holds ask for nodes, and a group that counts units refuses them.
  const [first] = groups.filter(({ capacity, countsUnits }) => capacity && !countsUnits);
  if (!first && problems.length === 0) return null;
  const window = windowOf(
    held.map(({ capacity }) => capacity),
    now,
  );
  return (
    <section class="panel capacity-part" aria-labelledby="capacity">
      <h2 id="capacity">Floors, holds and what comes next</h2>
      {problems.map((problem) => (
        <p key={problem} class="problem">
          {problem}
        </p>
      ))}
      {held.length === 0 && first && (
        <p class="nothing">
          No holds and no schedules. To have nodes ready ahead of time:{' '}
          <DroverCommand
            args={`hold create ${shellWord(first.autoScalingGroupName)} ${first.desiredCapacity + 1} --for 30m`}
            what="the command that makes a hold"
          />
        </p>
      )}
      {held.length > 0 && <Axis window={window} />}
      {held.map(({ name, capacity }) => (
        <GroupLine key={name} name={name} capacity={capacity} window={window} now={now} />
      ))}
    </section>
  );
}

/** A group with a hold, a schedule, a problem, or a floor that is not its base. */
const heldOf = ({ autoScalingGroupName: name, capacity }: GroupView): readonly Held[] =>
  capacity &&
  (capacity.holds.length > 0 ||
    capacity.schedules.length > 0 ||
    capacity.problems.length > 0 ||
    (capacity.base !== undefined && capacity.floor !== capacity.base))
    ? [{ name, capacity }]
    : [];
