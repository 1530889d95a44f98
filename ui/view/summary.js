import { element } from '../dom/element.js';

/** @typedef {import('../../local/dashboard/state/state.ts').DashboardState} DashboardState */

/** The key figures of the sandbox. @param {DashboardState} state */
export function summary(state) {
  const nodes = [...nodesOf(state)];
  const running = nodes.flatMap(({ pods }) => pods).filter((pod) => pod.state === 'running').length;
  const leaving = nodes.filter((node) => node.leaving).length;
  const waiting = state.waitingPods.length;
  const deadLetters = sum(state.queues.filter((queue) => queue.deadLetters));
  const queued = sum(state.queues.filter((queue) => !queue.deadLetters));
  const ready = nodes.filter((node) => node.ready).length;
  const serving = state.groups.reduce((total, { inService }) => total + inService, 0);
  const desired = state.groups.reduce((total, { desiredCapacity }) => total + desiredCapacity, 0);
  return element(
    'dl',
    { class: 'summary' },
    tile('In service', `${serving} / ${desired}`, serving < desired && 'warn'),
    tile('Nodes ready', `${ready} / ${nodes.length}`, ready < nodes.length && 'warn'),
    tile('Nodes draining', leaving, leaving > 0 && 'warn'),
    tile('Pods running', running),
    tile('Pods without a node', waiting, waiting > 0 && 'warn'),
    tile('Messages in queues', queued),
    tile('Dead letters', deadLetters, deadLetters > 0 && 'bad'),
    tile('Alarms', state.alarms.length, state.alarms.length > 0 && 'bad'),
  );
}

/** Every node, of an instance or not. @param {DashboardState} state */
export const nodesOf = ({ groups, otherNodes }) => [
  ...groups.flatMap(({ instances }) => instances.flatMap(({ node }) => node ?? [])),
  ...otherNodes,
];

/** @param {DashboardState['queues']} queues */
const sum = (queues) =>
  queues.reduce((total, { visible, inFlight, delayed }) => total + visible + inFlight + delayed, 0);

/**
 * @param {string} name
 * @param {string | number} value
 * @param {false | 'warn' | 'bad'} [tone]
 */
const tile = (name, value, tone = false) =>
  element('div', { class: 'tile', 'data-tone': tone }, element('dt', {}, name), element('dd', {}, value));
