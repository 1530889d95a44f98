import { announcements } from './announcements.ts';
import type { DashboardState } from './types.ts';

/** A screen reader reads all that it is given, so that it would be behind where a group of hundreds changes twice a second. */
const pauseMilliseconds = 5000;

/** What to announce of each state that is heard: all that has changed since the last announcement, which is a while ago. */
export function createAnnouncer(now: () => number): (state: DashboardState) => readonly string[] {
  let last: { readonly state: DashboardState; readonly at: number } | undefined;
  return (state) => {
    const at = now();
    if (last && (last.state === state || at - last.at < pauseMilliseconds)) return [];
    const news = last ? announcements(last.state, state) : [];
    last = { state, at: news.length > 0 ? at : -Infinity };
    return news;
  };
}
