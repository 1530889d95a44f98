import { type FloorStep, floorSteps } from '../../state/floor-steps.ts';
import { percentOf, type TimeWindow } from '../../state/time-window.ts';
import type { CapacityView } from '../../state/types.ts';
import type { LineProps } from './group-line.tsx';

const height = 40;

/** The floor as steps over time, with the nodes that are Ready now. The rows below say the same in words. */
export function FloorChart({ capacity, window, now }: LineProps & { readonly capacity: CapacityView }) {
  const steps = floorSteps(capacity, window);
  const { ready } = capacity;
  const top = Math.max(1, ready ?? 0, ...steps.map(({ floor }) => floor));
  const levelOf = (count: number): number => height - 2 - (count / top) * (height - 8);
  const nowAt = percentOf(now, window);
  return (
    <div class="chart" aria-hidden="true">
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none">
        <path class="floor-area" d={areaOf(steps, window, levelOf)} />
        <line class="now-line" x1={nowAt} x2={nowAt} y1={0} y2={height} />
      </svg>
      {ready !== undefined && (
        <span class="ready-dot" style={{ left: `${nowAt}%`, top: `${levelOf(ready)}px` }} />
      )}
    </div>
  );
}

/** Steps from the left edge to the right, closed along the bottom. */
function areaOf(steps: readonly FloorStep[], window: TimeWindow, levelOf: (count: number) => number): string {
  const line = steps.map(({ at, floor }, index) => {
    const x = percentOf(at, window).toFixed(2);
    return index === 0 ? `M${x} ${levelOf(floor)}` : `H${x} V${levelOf(floor)}`;
  });
  return `${line.join(' ')} H100 V${height} H0 Z`;
}
