import { element, lazy } from '../dom/element.js';
import { alarmsPart } from './alarms.js';
import { groupPart } from './group.js';
import { legend } from './legend.js';
import { newsPart } from './news.js';
import { nodePart } from './node.js';
import { passesPart } from './passes.js';
import { podSquares } from './pods.js';
import { queuesPart } from './queues.js';
import { summary } from './summary.js';
import { timeOfDay } from './words.js';

/** @typedef {import('../../local/dashboard/state/state.ts').DashboardState} DashboardState */

/**
 * What stands at the top: where this is, its time, and whether the page hears from the sandbox.
 *
 * @param {Pick<DashboardState, 'now' | 'region' | 'accountId'> | undefined} state
 * @param {'live' | 'lost'} connection
 */
export const masthead = (state, connection) =>
  [
    element('img', { class: 'logo', src: 'logo.svg', alt: '', width: 32, height: 32 }),
    element('h1', {}, 'Drover ', element('span', {}, 'sandbox')),
    state && element('p', { class: 'place' }, `${state.region} · ${state.accountId}`),
    state &&
      element(
        'time',
        { class: 'clock', datetime: new Date(state.now).toISOString() },
        timeOfDay(state.now),
        element('small', {}, ' UTC'),
      ),
    element(
      'p',
      { class: 'connection', 'data-connection': state ? connection : 'lost', role: 'status' },
      connectionWords(state, connection),
    ),
  ].filter((part) => part !== undefined);

/**
 * @param {unknown} state
 * @param {'live' | 'lost'} connection
 */
function connectionWords(state, connection) {
  if (connection === 'live') return state ? 'Live' : 'Connecting';
  return 'Connection lost, trying again';
}

/**
 * Everything below the masthead.
 *
 * @param {DashboardState} state
 */
export const page = (state) => [
  element(
    'section',
    { class: 'overview', 'aria-label': 'At a glance' },
    summary(state),
    state.alarms.length > 0 && lazy('alarms', alarmsPart, state.alarms),
  ),
  element(
    'div',
    { class: 'columns' },
    element('div', { class: 'column' }, groupsPart(state), lazy('queues', queuesPart, state.queues)),
    element(
      'div',
      { class: 'column' },
      state.news.length > 0 && lazy('news', newsPart, state.news),
      lazy('passes', passesPart, state.passes),
    ),
  ),
];

/** @param {DashboardState} state */
const groupsPart = ({ groups, otherNodes, waitingPods, now }) =>
  element(
    'section',
    { class: 'groups', 'aria-labelledby': 'groups' },
    element(
      'div',
      { class: 'groups-head' },
      element('h2', { id: 'groups', tabindex: -1 }, 'Auto Scaling groups'),
      legend(),
    ),
    groups.length === 0 &&
      element(
        'p',
        { class: 'nothing' },
        'No groups yet: create one with the AWS CLI, or wait for the story to.',
      ),
    groups.map((group) => lazy(group.autoScalingGroupName, groupPart, group, now)),
    otherNodes.length > 0 && lazy('other nodes', otherNodesPart, otherNodes, now),
    waitingPods.length > 0 && lazy('waiting pods', waitingPodsPart, waitingPods),
  );

/**
 * @param {DashboardState['otherNodes']} nodes
 * @param {number} now
 */
const otherNodesPart = (nodes, now) =>
  element(
    'section',
    { class: 'group', 'aria-labelledby': 'other-nodes' },
    element('div', { class: 'group-head' }, element('h3', { id: 'other-nodes' }, 'Nodes of no group')),
    element(
      'ul',
      { class: 'cards' },
      nodes.map((node) =>
        element('li', { key: node.name, class: 'card', 'data-stage': 'aside' }, nodePart(node, now)),
      ),
    ),
  );

/** @param {DashboardState['waitingPods']} pods */
const waitingPodsPart = (pods) =>
  element(
    'section',
    { class: 'group', 'aria-labelledby': 'waiting-pods' },
    element('div', { class: 'group-head' }, element('h3', { id: 'waiting-pods' }, 'Pods without a node')),
    podSquares(pods),
  );
