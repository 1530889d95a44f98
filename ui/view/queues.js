import { element } from '../dom/element.js';

/** @typedef {import('../../local/dashboard/state/state.ts').QueueView} QueueView */

/** @param {readonly QueueView[]} queues */
export const queuesPart = (queues) =>
  element(
    'section',
    { class: 'panel', 'aria-labelledby': 'queues' },
    element('h2', { id: 'queues' }, 'Queues'),
    queues.length === 0
      ? element('p', { class: 'nothing' }, 'No queues.')
      : element(
          'table',
          { class: 'queues' },
          element(
            'thead',
            {},
            element(
              'tr',
              {},
              ['Queue', 'Waiting', 'In flight', 'Delayed'].map((name) =>
                element('th', { scope: 'col' }, name),
              ),
            ),
          ),
          element('tbody', {}, queues.map(queueRow)),
        ),
  );

/** @param {QueueView} queue */
const queueRow = ({ queueName, deadLetters, visible, inFlight, delayed }) =>
  element(
    'tr',
    { key: queueName, 'data-alarm': deadLetters && visible + inFlight + delayed > 0 },
    element(
      'th',
      { scope: 'row' },
      queueName,
      deadLetters && element('small', { class: 'quiet' }, ' dead letters'),
    ),
    [visible, inFlight, delayed].map((count) => element('td', { 'data-none': count === 0 }, count)),
  );
