import { render } from 'preact';
import { App, type Model } from './app.tsx';
import { type BrowserParts, listen } from './connection.ts';
import { announcements } from './state/announcements.ts';
import { share } from './state/share.ts';
import type { DashboardState } from './state/types.ts';
import { nameOf } from './view/masthead.tsx';

/** A log keeps the last few lines, so that a screen reader can go back to them. */
const keptChanges = 12;

let model: Model = { state: undefined, connection: 'live', isReading: false, changes: [] };
let announced = 0;

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app');

function show(next: Partial<Model>): void {
  model = { ...model, ...next };
  keepingFocus(() => render(<App {...model} />, root as HTMLElement));
}

/** If the focused element is removed, the next Tab starts at the content of the page instead of its top. */
function keepingFocus(change: () => void): void {
  const focused = document.activeElement;
  change();
  if (focused && focused !== document.body && !focused.isConnected)
    document.getElementById('page')?.focus({ preventScroll: true });
}

function onState(heard: DashboardState): void {
  const state = share(model.state, heard);
  const news = model.state ? announcements(model.state, state) : [];
  const lines = news.map((words) => {
    announced += 1;
    return { number: announced, words };
  });
  document.title = `Drover ${nameOf(state)}`;
  show({ state, connection: 'live', changes: [...model.changes, ...lines].slice(-keptChanges) });
}

const browser: BrowserParts = {
  open: (path) => new EventSource(path),
  now: () => performance.now(),
  isHidden: () => document.hidden,
  onTurn: (task) => {
    setInterval(task, 1000);
    document.addEventListener('visibilitychange', task);
  },
};

show({});
listen(
  {
    onState,
    onTime: (times) =>
      show({ connection: 'live', ...(model.state && { state: { ...model.state, ...times } }) }),
    onWaiting: () => show({ connection: 'live', isReading: true }),
    onSilence: (connection) => show({ connection }),
  },
  browser,
);
