import { element, lazy } from '../dom/element.js';
import { instanceCard, isCalm, showsTime } from './instance.js';

/** @typedef {import('../../local/dashboard/state/state.ts').GroupView} GroupView */

/** In a group with more instances than this, those in a steady state are folded. */
const crowd = 24;

/**
 * @param {GroupView} group
 * @param {number} now
 */
export function groupPart(group, now) {
  const { autoScalingGroupName: name, role, instances } = group;
  const id = `group-${name}`;
  const amongMany = instances.length > crowd;
  return element(
    'section',
    { class: 'group', 'aria-labelledby': id },
    element(
      'div',
      { class: 'group-head' },
      element('h3', { id }, name),
      role !== undefined && element('span', { class: 'role' }, role),
      capacity(group),
    ),
    instances.length === 0
      ? element('p', { class: 'nothing' }, 'No instances.')
      : element(
          'ul',
          { class: 'cards', 'data-many': amongMany },
          inOrder(group).map((instance) =>
            lazy(instance.instanceId, instanceCard, instance, showsTime(instance) ? now : 0, amongMany),
          ),
        ),
  );
}

/**
 * As Auto Scaling has them; in a crowd, those that something happens to come first.
 *
 * @param {GroupView} group
 */
const inOrder = ({ instances }) =>
  instances.length > crowd
    ? instances.toSorted((one, other) => Number(isCalm(one)) - Number(isCalm(other)))
    : instances;

/** @param {GroupView} group */
const capacity = ({ autoScalingGroupName, minSize, maxSize, desiredCapacity, inService }) =>
  element(
    'div',
    { class: 'capacity' },
    element(
      'span',
      { class: 'in-service', 'data-short': inService < desiredCapacity },
      element('b', {}, inService),
      ' in service',
    ),
    element(
      'span',
      { class: 'stepper' },
      scaleButton({
        autoScalingGroupName,
        to: desiredCapacity - 1,
        sign: '−',
        allowed: desiredCapacity > minSize,
      }),
      element('span', { class: 'desired' }, element('b', {}, desiredCapacity), ' desired'),
      scaleButton({
        autoScalingGroupName,
        to: desiredCapacity + 1,
        sign: '+',
        allowed: desiredCapacity < maxSize,
      }),
    ),
    element('span', { class: 'quiet' }, `min ${minSize} · max ${maxSize}`),
  );

/** @param {{ autoScalingGroupName: string, to: number, sign: string, allowed: boolean }} options */
const scaleButton = ({ autoScalingGroupName, to, sign, allowed }) =>
  element(
    'button',
    {
      key: sign,
      type: 'button',
      class: 'scale',
      'aria-label': `Set the desired capacity of ${autoScalingGroupName} to ${to}`,
      'aria-disabled': allowed ? undefined : 'true',
      'data-action': 'scale',
      'data-auto-scaling-group-name': autoScalingGroupName,
      'data-desired-capacity': to,
    },
    sign,
  );
