import { percentOf } from '../../state/time-window.ts';
import type { HoldView } from '../../state/types.ts';
import { clockTime, counted, duration } from '../../state/words.ts';
import type { LineProps } from './group-line.tsx';

const stateWords: Readonly<Record<HoldView['state'], string>> = {
  met: 'met',
  waiting: 'waiting',
  unknown: 'unknown',
  over: 'over',
};

/** A hold: from when until when, for how many nodes or which pods, made by which person or schedule, and how far it is. */
export const HoldRow = ({ hold, window, now }: LineProps & { readonly hold: HoldView }) => (
  <li class="row" data-state={hold.state}>
    <p>
      <span class="chip" data-state={hold.state}>
        {stateWords[hold.state]}
      </span>
      <span class="name">{hold.name}</span>
      <span>{wordsOf(hold, now)}</span>
      <span class="reason">{hold.reason}</span>
    </p>
    <span class="bars" aria-hidden="true">
      <span
        class="bar hold-bar"
        data-state={hold.state}
        style={spanOf(percentOf(hold.from ?? window.from, window), percentOf(hold.until, window))}
      />
    </span>
  </li>
);

/** `6 nodes`, or `40 pods with app=web in shop (2 open, 1 placed)`. */
function askedWords({ nodes, pods }: HoldView): string {
  if (pods === undefined) return counted(nodes, 'node');
  const { asks, open, placed } = pods;
  return open === undefined ? asks : `${asks} (${open} open, ${placed} placed)`;
}

function wordsOf(hold: HoldView, now: number): string {
  const { from, until, by, state } = hold;
  const began = from === undefined ? '' : `from ${clockTime(from, now)} `;
  const left = state === 'over' || until <= now ? '' : ` (in ${duration(until - now)})`;
  return `${askedWords(hold)} ${began}until ${clockTime(until, now)}${left}${by === undefined ? '' : `, by ${by}`}`;
}

export const spanOf = (left: number, right: number) => ({
  left: `${left}%`,
  width: `${Math.max(0.4, right - left)}%`,
});
