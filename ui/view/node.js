import { element } from '../dom/element.js';
import { podSquares } from './pods.js';
import { duration, timeOfDay } from './words.js';

/**
 * @typedef {import('../../local/dashboard/state/state.ts').NodeView} NodeView
 * @typedef {import('../../local/dashboard/state/state.ts').LeavingView} LeavingView
 */

/** Why a node leaves, without Drover's terms. @type {Record<LeavingView['cause'], string>} */
const causes = {
  terminating: 'Auto Scaling terminates the instance',
  'spot-interruption': 'EC2 takes the spot instance back',
  'capacity-reservation': 'EC2 takes the reserved capacity back',
  rebalance: 'EC2 advises to leave soon',
  'scheduled-change': 'AWS has planned work on the machine',
  'instance-gone': 'the instance is gone',
  swept: 'the sweep found it waiting',
};

/**
 * A Node: how it is, its pods and, where it leaves, what for.
 *
 * @param {NodeView} node
 * @param {number} now
 */
export const nodePart = (node, now) =>
  element(
    'div',
    { class: 'node' },
    element(
      'p',
      { class: 'node-line' },
      element('span', { class: 'node-name', title: node.name }, shortName(node.name)),
      condition(node.ready ? 'Ready' : 'NotReady', node.ready ? 'good' : 'bad'),
      node.cordoned && condition('Cordoned', 'warn'),
    ),
    node.leaving && leavingPart(node.leaving, now),
    podSquares(node.pods),
  );

/** The first label: the rest is the region's domain. @param {string} name */
const shortName = (name) => name.split('.')[0] ?? name;

/**
 * @param {string} word
 * @param {'good' | 'warn' | 'bad'} tone
 */
const condition = (word, tone) => element('span', { class: 'condition', 'data-tone': tone }, word);

/**
 * @param {LeavingView} leaving
 * @param {number} now
 */
const leavingPart = ({ cause, since, until, waitingFor, andMore }, now) =>
  element(
    'div',
    { class: 'leaving' },
    element(
      'p',
      {},
      element('strong', {}, 'Drains'),
      ` for ${duration(now - since)}: ${causes[cause]}.`,
      until !== undefined && ` Until ${timeOfDay(until)} pods end in their own time.`,
    ),
    waitingFor.length > 0 && element('p', { class: 'waits-for' }, 'Waits for'),
    waitingFor.length > 0 &&
      element(
        'ul',
        { class: 'holding' },
        waitingFor.map((line) => element('li', {}, line)),
        andMore > 0 && element('li', {}, `and ${andMore} more`),
      ),
  );
