import { render } from 'preact';
import { App, type Model } from './app.tsx';
import { thisBrowser } from './browser-parts.ts';
import { listen, type Times } from './connection.ts';
import { keepingFocus } from './keep-focus.ts';
import { createAnnouncer } from './state/announcer.ts';
import { share } from './state/share.ts';
import type { DashboardState } from './state/types.ts';
import { nameOf } from './view/masthead.tsx';

/** A log keeps the last few lines, so that a screen reader can go back to them. */
const keptChanges = 12;

/** Shows one cluster in this element for as long as the page is open. */
export function showCluster(root: HTMLElement): void {
  let model: Model = { state: undefined, connection: 'live', isReading: false, changes: [] };
  /** Without the times that came since: a state that says nothing new is the same object. */
  let lastHeard: DashboardState | undefined;
  let announced = 0;
  const announce = createAnnouncer(() => performance.now());

  const show = (next: Partial<Model>): void => {
    model = { ...model, ...next };
    keepingFocus(() => render(<App {...model} />, root));
  };
  const changesUntil = (state: DashboardState): Model['changes'] => {
    const lines = announce(state).map((words) => {
      announced += 1;
      return { number: announced, words };
    });
    return lines.length === 0 ? model.changes : [...model.changes, ...lines].slice(-keptChanges);
  };
  const onState = (heard: DashboardState): void => {
    const state = share(model.state, heard);
    document.title = `Drover ${nameOf(state)}`;
    lastHeard = state;
    show({ state, connection: 'live', changes: changesUntil(state) });
  };
  const onTime = (times: Times): void => {
    const { state } = model;
    show({
      connection: 'live',
      ...(state && { state: { ...state, ...times } }),
      ...(lastHeard && { changes: changesUntil(lastHeard) }),
    });
  };
  show({});
  listen<DashboardState>(
    {
      onState,
      onTime,
      onWaiting: () => show({ connection: 'live', isReading: true }),
      onSilence: (connection) => show({ connection }),
    },
    thisBrowser(),
  );
}
