import { element, lazy } from '../dom/element.js';
import { timeOfDay } from './words.js';

/** @typedef {import('../../local/dashboard/state/state.ts').NewsView} NewsView */

const shown = 10;

/** The lines of the terminal, for readers of the page. @param {readonly NewsView[]} news */
export const newsPart = (news) =>
  element(
    'section',
    { class: 'panel', 'aria-labelledby': 'news' },
    element('h2', { id: 'news' }, 'What happens'),
    element(
      'ol',
      { class: 'news' },
      news.slice(0, shown).map((line) => lazy(`${line.at} ${line.text}`, newsLine, line)),
    ),
  );

/** @param {NewsView} line */
const newsLine = ({ at, speaker, text }) =>
  element(
    'li',
    {},
    element('time', { datetime: new Date(at).toISOString() }, timeOfDay(at)),
    element('span', { class: 'speaker', 'data-speaker': speaker }, speaker),
    element('span', { class: 'text' }, text),
  );
