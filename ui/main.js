import { act, actionOf } from './actions.js';
import { element } from './dom/element.js';
import { patch } from './dom/patch.js';
import { announcements } from './state/announcements.js';
import { share } from './state/share.js';
import { masthead, page } from './view/page.js';

/** @typedef {import('../local/dashboard/state/state.ts').DashboardState} DashboardState */

const millisecondsOfAnAnswer = 6000;

const parts = {
  masthead: part('masthead'),
  page: part('page'),
  changes: part('changes'),
  answers: part('answers'),
};

/** @type {DashboardState | undefined} */
let state;
/** @type {'live' | 'lost'} */
let connection = 'live';
let answers = 0;

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found;
}

function render() {
  document.body.toggleAttribute('data-stale', connection === 'lost');
  patch(parts.masthead, masthead(state, connection));
  if (state) keepingFocus(() => patch(parts.page, page(/** @type {DashboardState} */ (state))));
}

/** If the focused element is removed, the next Tab starts at the page content instead of the top. @param {() => void} change */
function keepingFocus(change) {
  const focused = document.activeElement;
  change();
  if (focused && focused !== document.body && !focused.isConnected) parts.page.focus({ preventScroll: true });
}

/** @param {DashboardState} next */
function show(next) {
  const previous = state;
  state = share(previous, next);
  if (previous) announce(announcements(previous, state));
  render();
}

/** A log keeps the last few lines, so that a screen reader can go back to them. @param {readonly string[]} news */
function announce(news) {
  for (const words of news) {
    const line = document.createElement('p');
    line.textContent = words;
    parts.changes.append(line);
  }
  while (parts.changes.childElementCount > 12) parts.changes.firstElementChild?.remove();
}

/** @param {{ ok: boolean, words: string }} answer */
function answer({ ok, words }) {
  answers += 1;
  const mine = answers;
  patch(parts.answers, [
    element('p', { key: String(mine), class: 'answer', 'data-ok': ok ? 'true' : 'false' }, words),
  ]);
  setTimeout(() => mine === answers && patch(parts.answers, []), millisecondsOfAnAnswer);
}

function listen() {
  const events = new EventSource('api/events');
  const heard = () => {
    connection = 'live';
  };
  events.addEventListener('state', ({ data }) => {
    heard();
    show(JSON.parse(data));
  });
  events.addEventListener('time', ({ data }) => {
    heard();
    if (state) state = { ...state, now: Number(data) };
    render();
  });
  events.addEventListener('error', () => {
    connection = 'lost';
    render();
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-action]') : null;
  if (!(button instanceof HTMLElement) || button.getAttribute('aria-disabled') === 'true') return;
  void act(actionOf(button.dataset)).then(answer);
});

render();
listen();
