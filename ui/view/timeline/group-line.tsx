import { Capped } from '../../parts/capped.tsx';
import { inOrder } from '../../state/schedule-order.ts';
import type { TimeWindow } from '../../state/time-window.ts';
import type { CapacityView } from '../../state/types.ts';
import { FloorChart } from './floor-chart.tsx';
import { HoldRow } from './hold-row.tsx';
import { ScheduleRow } from './schedule-row.tsx';

/** Of holds, and of schedules. */
const mostRows = 20;

export interface LineProps {
  readonly window: TimeWindow;
  readonly now: number;
}

/** One group: its floor over time, its holds, and the requests of its schedules. */
export const GroupLine = ({
  name,
  capacity,
  ...line
}: LineProps & { readonly name: string; readonly capacity: CapacityView }) => (
  <div class="group-line">
    <div class="group-line-head">
      <h3>{name}</h3>
      <FloorWords capacity={capacity} />
    </div>
    {capacity.problems.map((problem) => (
      <p key={problem} class="problem">
        {problem}
      </p>
    ))}
    <FloorChart capacity={capacity} {...line} />
    {capacity.holds.length > 0 && (
      <Capped items={capacity.holds} most={mostRows} class="rows">
        {(hold) => <HoldRow key={hold.name} hold={hold} {...line} />}
      </Capped>
    )}
    {capacity.schedules.length > 0 && (
      <Capped items={inOrder(capacity.schedules)} most={mostRows} class="rows">
        {(schedule) => <ScheduleRow key={schedule.name} schedule={schedule} {...line} />}
      </Capped>
    )}
  </div>
);

/** `Floor 4 (base 0), 3 Ready: 1 short` */
function FloorWords({ capacity: { base, floor, ready } }: { readonly capacity: CapacityView }) {
  const short = ready === undefined ? 0 : floor - ready;
  return (
    <p class="floor-words">
      Floor <b>{floor}</b>
      {base !== undefined && <span class="quiet"> (base {base})</span>}, <b>{ready ?? 'unknown'}</b> Ready
      {short > 0 && <strong class="short">: {short} short</strong>}
    </p>
  );
}
