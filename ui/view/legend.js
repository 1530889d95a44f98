import { element } from '../dom/element.js';
import { podShape } from './pods.js';

/** @typedef {import('./pods.js').PodState} PodState */

/** @type {readonly [string, { state: PodState, daemon: boolean }][]} */
const shapes = [
  ['running', { state: 'running', daemon: false }],
  ["DaemonSet's", { state: 'running', daemon: true }],
  ['starting', { state: 'pending', daemon: false }],
  ['ending', { state: 'terminating', daemon: false }],
  ['finished', { state: 'finished', daemon: false }],
  ['failed', { state: 'failed', daemon: false }],
];

/** What the shapes of pods mean. */
export const legend = () =>
  element(
    'ul',
    { class: 'legend', 'aria-label': 'Shapes of pods' },
    shapes.map(([word, pod]) => element('li', {}, podShape(pod), word)),
  );
