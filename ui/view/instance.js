import { element } from '../dom/element.js';
import { nodePart } from './node.js';
import { stageOf } from './stages.js';
import { duration } from './words.js';

/**
 * @typedef {import('../../local/dashboard/state/state.ts').InstanceView} InstanceView
 * @typedef {import('../../local/dashboard/state/state.ts').WaitView} WaitView
 */

/** Whether the card shows how much time is left, and so changes with it. @param {InstanceView} instance */
export const showsTime = ({ waits, node }) => waits.length > 0 || node?.leaving !== undefined;

/**
 * @param {InstanceView} instance
 * @param {number} now
 */
export function instanceCard(instance, now) {
  const { instanceId, lifecycleState, instanceType, availabilityZone, market, ec2State, node, waits } =
    instance;
  const stage = stageOf(lifecycleState);
  return element(
    'li',
    { class: 'card', 'data-stage': stage },
    element(
      'div',
      { class: 'card-head' },
      element('h4', { class: 'instance-id' }, instanceId),
      element('span', { class: 'state', 'data-stage': stage }, lifecycleState),
    ),
    element('span', { class: 'track', 'aria-hidden': 'true' }, element('i'), element('i'), element('i')),
    element(
      'p',
      { class: 'quiet facts' },
      `${availabilityZone} · ${instanceType} · ${market}`,
      ec2State !== 'running' && ` · ${ec2State}`,
      !instance.healthy && ' · Unhealthy',
    ),
    waits.map((wait) => waitBar(wait, now)),
    node ? nodePart(node, now) : element('p', { class: 'quiet no-node' }, 'No Node'),
    buttons(instance, stage),
  );
}

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

/**
 * @param {InstanceView} instance
 * @param {import('./stages.js').Stage} stage
 */
function buttons({ instanceId, market, ec2State }, stage) {
  const gone = ec2State === 'shutting-down' || ec2State === 'terminated';
  return element(
    'div',
    { class: 'buttons' },
    button('terminate', 'Terminate', { instanceId, disabled: gone || stage === 'leaving' }),
    market === 'spot' && button('interrupt', 'Interrupt', { instanceId, disabled: ec2State !== 'running' }),
    button('kill', 'Kill', { instanceId, disabled: gone }),
  );
}

/** What a button does, for whoever rests the pointer on it. @type {Record<string, string>} */
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
