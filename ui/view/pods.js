import { element } from '../dom/element.js';

/**
 * @typedef {import('../../local/dashboard/state/state.ts').PodView} PodView
 * @typedef {import('../../local/dashboard/state/state.ts').PodState} PodState
 */

/** @type {Record<PodState, string>} */
export const podStates = {
  running: 'running',
  pending: 'starting',
  terminating: 'ending',
  finished: 'finished',
  failed: 'failed',
};

/**
 * `5 running, 2 ending`
 *
 * @param {readonly PodView[]} pods
 */
export function countPods(pods) {
  const counts = Object.entries(podStates)
    .map(([state, word]) => ({ word, count: pods.filter((pod) => pod.state === state).length }))
    .filter(({ count }) => count > 0);
  return counts.length === 0 ? 'none' : counts.map(({ word, count }) => `${count} ${word}`).join(', ');
}

/**
 * The pods as small shapes under their count; opened, by name.
 *
 * @param {readonly PodView[]} pods
 */
export const podSquares = (pods) =>
  element(
    'details',
    { class: 'pods' },
    element(
      'summary',
      {},
      element('span', { class: 'pods-label' }, 'Pods: ', countPods(pods)),
      squares(pods),
    ),
    element('ul', { class: 'pod-names' }, pods.map(podName)),
  );

/** @param {readonly PodView[]} pods */
export const squares = (pods) =>
  element('span', { class: 'squares', 'aria-hidden': 'true' }, pods.map(podSquare));

/** @param {Pick<PodView, 'state' | 'daemon'>} pod */
export const podShape = ({ state, daemon }) =>
  element('span', { class: 'pod', 'data-state': state, 'data-daemon': daemon });

/** @param {PodView} pod */
const podSquare = ({ uid, name, state, daemon }) =>
  element('span', {
    key: uid,
    class: 'pod',
    'data-state': state,
    'data-daemon': daemon,
    title: `${name} ${podStates[state]}`,
  });

/** @param {PodView} pod */
const podName = ({ uid, name, state, daemon }) =>
  element(
    'li',
    { key: uid },
    element('span', { class: 'pod', 'data-state': state, 'data-daemon': daemon, 'aria-hidden': 'true' }),
    element('span', { class: 'name' }, name),
    element('span', { class: 'quiet' }, podStates[state]),
  );
