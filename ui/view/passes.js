import { element, lazy } from '../dom/element.js';
import { timeOfDay } from './words.js';

/** @typedef {import('../../local/dashboard/state/state.ts').PassView} PassView */

const shown = 12;

/** @param {readonly PassView[]} passes */
export const passesPart = (passes) =>
  element(
    'section',
    { class: 'panel', 'aria-labelledby': 'passes' },
    element('h2', { id: 'passes' }, 'Last passes'),
    passes.length === 0
      ? element('p', { class: 'nothing' }, 'None yet. Terminate an instance to see one.')
      : element(
          'ol',
          { class: 'passes' },
          passes.slice(0, shown).map((pass) => lazy(String(pass.number), passRow, pass)),
        ),
  );

/** @param {PassView} pass */
const passRow = ({ at, subject, outcome, reason, seconds, afterSeconds }) =>
  element(
    'li',
    { 'data-outcome': outcome },
    element(
      'p',
      { class: 'pass-line' },
      element('span', { class: 'outcome', 'data-outcome': outcome }, outcome),
      element('span', { class: 'subject' }, subject),
      element('time', { datetime: new Date(at).toISOString() }, timeOfDay(at)),
    ),
    element(
      'p',
      { class: 'reason' },
      reason,
      element(
        'span',
        { class: 'quiet' },
        ` · took ${seconds.toFixed(1)}\u00a0s`,
        afterSeconds !== undefined && outcome !== 'done' && ` · again in ${afterSeconds}\u00a0s`,
      ),
    ),
  );
