import { percentOf, type TimeWindow, tickLabel, ticksOf } from '../../state/time-window.ts';

/** The times of the window, in UTC. */
export const Axis = ({ window }: { readonly window: TimeWindow }) => (
  <div class="axis" aria-hidden="true">
    {ticksOf(window).map((at) => (
      <span key={at} style={{ left: `${percentOf(at, window)}%` }}>
        {tickLabel(at, window)}
      </span>
    ))}
  </div>
);
