import type { BrowserParts } from './connection.ts';
import { wakingClock } from './waking-clock.ts';

/** The browser that the page is in. */
export const thisBrowser = (): BrowserParts => ({
  open: (path) => new EventSource(path),
  now: wakingClock(() => ({ sinceStart: performance.now(), timeOfDay: Date.now() })),
  isHidden: () => document.hidden,
  onTurn: (task) => {
    setInterval(task, 1000);
    document.addEventListener('visibilitychange', task);
  },
});
