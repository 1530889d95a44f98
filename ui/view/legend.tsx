import type { PodState } from '../state/types.ts';
import { PodShape } from './pods.tsx';

const shapes: readonly (readonly [string, { state: PodState; daemon: boolean; held?: boolean }])[] = [
  ['running', { state: 'running', daemon: false }],
  ["DaemonSet's", { state: 'running', daemon: true }],
  ['starting', { state: 'pending', daemon: false }],
  ['ending', { state: 'terminating', daemon: false }],
  ['held by a budget', { state: 'running', daemon: false, held: true }],
  ['finished', { state: 'finished', daemon: false }],
  ['failed', { state: 'failed', daemon: false }],
];

/** What the shapes of pods mean. */
export const Legend = () => (
  <details class="legend-part">
    <summary>Shapes of pods</summary>
    <ul class="legend">
      {shapes.map(([word, pod]) => (
        <li key={word}>
          <PodShape {...pod} />
          {word}
        </li>
      ))}
    </ul>
  </details>
);
