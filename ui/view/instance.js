import { element } from '../dom/element.js';
import { nodePart } from './node.js';
import { squares } from './pods.js';
import { stageOf } from './stages.js';
import { duration } from './words.js';

/**
 * @typedef {import('../../local/dashboard/state/state.ts').InstanceView} InstanceView
 * @typedef {import('../../local/dashboard/state/state.ts').WaitView} WaitView
 */

/** Whether the card shows the time that is left, and so changes every second. @param {InstanceView} instance */
export const showsTime = ({ waits, node }) => waits.length > 0 || node?.leaving !== undefined;

/**
 * Whether the instance is in a steady state. In a large group its card is then folded.
 *
 * @param {InstanceView} instance
 */
export const isCalm = ({ lifecycleState, healthy, ec2State, waits, node }) =>
  lifecycleState === 'InService' &&
  healthy &&
  ec2State === 'running' &&
  waits.length === 0 &&
  node?.ready === true &&
  !node.cordoned &&
  !node.leaving;

/**
 * @param {InstanceView} instance
 * @param {number} now
 * @param {boolean} amongMany
 */
export function instanceCard(instance, now, amongMany) {
  const stage = stageOf(instance.lifecycleState);
  const content = amongMany && isCalm(instance) ? [folded(instance)] : [head(instance), body(instance, now)];
  return element('li', { class: 'card', 'data-stage': stage }, content);
}

/** @param {InstanceView} instance */
const head = ({ instanceId, lifecycleState }) =>
  element(
    'div',
    { class: 'card-head' },
    element('h4', { class: 'instance-id' }, instanceId),
    element('span', { class: 'state', 'data-stage': stageOf(lifecycleState) }, lifecycleState),
  );

/**
 * Its name and its pods; the rest is one click away.
 *
 * @param {InstanceView} instance
 */
const folded = (instance) =>
  element(
    'details',
    { class: 'folded' },
    element('summary', {}, head(instance), squares(instance.node?.pods ?? [])),
    body(instance, 0),
  );

/**
 * @param {InstanceView} instance
 * @param {number} now
 */
const body = (instance, now) =>
  element(
    'div',
    { class: 'card-body' },
    element('span', { class: 'track', 'aria-hidden': 'true' }, element('i'), element('i'), element('i')),
    machine(instance),
    instance.waits.map((wait) => waitBar(wait, now)),
    instance.joining && element('p', { class: 'quiet joining' }, `Joins: ${instance.joining}`),
    instance.node ? nodePart(instance.node, now) : element('p', { class: 'quiet no-node' }, 'No Node'),
    buttons(instance),
  );

/** @param {InstanceView} instance */
const machine = ({ availabilityZone, instanceType, market, ec2State, healthy }) =>
  element(
    'p',
    { class: 'facts' },
    element('span', { class: 'quiet' }, `${availabilityZone} · ${instanceType} · ${market}`),
    ec2State !== 'running' &&
      element('span', { class: 'condition', 'data-tone': toneOf(ec2State) }, ec2State),
    !healthy && element('span', { class: 'condition', 'data-tone': 'bad' }, 'Unhealthy'),
  );

/** @param {string} ec2State */
const toneOf = (ec2State) => (ec2State === 'pending' ? 'new' : 'bad');

/**
 * What is left until Auto Scaling goes on by itself; a heartbeat fills it up again.
 *
 * @param {WaitView} wait
 * @param {number} now
 */
function waitBar({ lifecycleHookName, heartbeatTimeoutSeconds, expiresAt }, now) {
  const left = Math.max(0, expiresAt - now);
  const words = `${duration(left)} left`;
  return element(
    'div',
    { key: `wait ${lifecycleHookName}`, class: 'wait' },
    element('span', { class: 'hook' }, lifecycleHookName),
    element('span', { class: 'left' }, words),
    element('progress', {
      max: heartbeatTimeoutSeconds,
      value: Math.round(left / 1000),
      'aria-label': `${lifecycleHookName} waits: ${words} of ${duration(heartbeatTimeoutSeconds * 1000)}`,
    }),
  );
}

/** @param {InstanceView} instance */
function buttons({ instanceId, lifecycleState, market, ec2State }) {
  const leaves = stageOf(lifecycleState) === 'leaving';
  const gone = ec2State === 'shutting-down' || ec2State === 'terminated';
  return element(
    'div',
    { class: 'buttons' },
    button('terminate', 'Terminate', { instanceId, disabled: gone || leaves }),
    market === 'spot' && button('interrupt', 'Interrupt', { instanceId, disabled: ec2State !== 'running' }),
    button('kill', 'Kill', { instanceId, disabled: gone }),
  );
}

/** The tooltips of the buttons. @type {Record<string, string>} */
const explanations = {
  terminate: 'Auto Scaling terminates and replaces the instance; its hook waits for the drain',
  interrupt: 'EC2 warns that it takes the spot instance back in two minutes',
  kill: 'The machine dies at once: no warning, no hook',
};

/**
 * @param {string} action
 * @param {string} word
 * @param {{ instanceId: string, disabled: boolean }} options
 */
const button = (action, word, { instanceId, disabled }) =>
  element(
    'button',
    {
      key: action,
      type: 'button',
      class: action,
      title: explanations[action],
      'data-action': action,
      'data-instance-id': instanceId,
      'aria-disabled': disabled ? 'true' : undefined,
    },
    word,
    element('span', { class: 'visually-hidden' }, ` ${instanceId}`),
  );
