import { element } from '../dom/element.js';
import { timeOfDay } from './words.js';

/** @typedef {import('../../local/dashboard/state/state.ts').AlarmView} AlarmView */

/** @param {readonly AlarmView[]} alarms */
export const alarmsPart = (alarms) =>
  element(
    'section',
    { class: 'panel alarms', 'aria-labelledby': 'alarms' },
    element('h2', { id: 'alarms' }, 'Alarms'),
    element(
      'ul',
      {},
      alarms.map(({ name, description, since }) =>
        element(
          'li',
          { key: name },
          element('strong', {}, name),
          element('span', { class: 'quiet' }, ` since ${timeOfDay(since)}`),
          description !== '' && element('p', {}, description),
        ),
      ),
    ),
  );
