import type { ServerResponse } from 'node:http';
import type { DashboardState } from '../../../ui/state/types.ts';
import { beginEvents } from './respond.ts';

/** Calls back again and again in the machine's time, which the page's reader lives in; returns how to stop. */
export type Repeat = (milliseconds: number, task: () => void) => () => void;

/** Sends the state to every open page as server-sent events. */
export interface Broadcast {
  add(response: ServerResponse): void;
  /** Sends at once, so that the effect of a button shows without a delay. */
  look(): void;
}

const millisecondsBetweenLooks = 500;

/**
 * Computes the state only while a page is open. Sends `state` when something has changed, and `time` when only the time has,
 * so that a large cluster is not sent twice a second to move a bar. A slow reader misses intermediate states, never the last
 * one.
 */
export function createBroadcast(options: {
  /** Undefined: nothing is known yet. */
  readonly read: () => DashboardState | undefined;
  readonly repeat: Repeat;
  readonly onFault: (error: unknown) => void;
}): Broadcast {
  const { read, repeat, onFault } = options;
  /** What each page has last been sent. */
  const pages = new Map<ServerResponse, string>();
  let stopLooking: (() => void) | undefined;

  const look = (): void => {
    if (pages.size === 0) return;
    try {
      const known = read();
      if (known === undefined) return;
      const { now, ...rest } = known;
      const state = JSON.stringify(rest);
      for (const [page, last] of pages) tell(page, { now, state, last });
    } catch (error) {
      onFault(error);
    }
  };
  const tell = (page: ServerResponse, seen: { now: number; state: string; last: string }): void => {
    if (page.writableNeedDrain) return;
    const { now, state, last } = seen;
    pages.set(page, state);
    page.write(
      state === last
        ? `event: time\ndata: ${now}\n\n`
        : `event: state\ndata: {"now":${now},${state.slice(1)}\n\n`,
    );
  };
  const remove = (page: ServerResponse): void => {
    pages.delete(page);
    if (pages.size > 0) return;
    stopLooking?.();
    stopLooking = undefined;
  };
  return {
    add: (page) => {
      beginEvents(page);
      page.on('close', () => remove(page));
      pages.set(page, '');
      stopLooking ??= repeat(millisecondsBetweenLooks, look);
      look();
    },
    look,
  };
}
