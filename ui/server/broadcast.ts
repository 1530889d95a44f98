import type { ServerResponse } from 'node:http';
import type { DashboardState } from '../state/types.ts';
import { beginEvents, respondProblem } from './respond.ts';

/** Calls back again and again in the machine's time, which the page's reader lives in; returns how to stop. */
export type Repeat = (milliseconds: number, task: () => void) => () => void;

/** Sends the state to every open page as server-sent events. */
export interface Broadcast {
  add(response: ServerResponse): void;
  /** Sends at once, so that the effect of a button shows without a delay. */
  look(): void;
}

const millisecondsBetweenLooks = 500;
/** No user has more tabs open. */
const mostPages = 64;
/** A page that takes nothing for a minute has gone without a word, as behind a tunnel that broke: it would keep the readings going. */
const mostMissedLooks = 120;

interface Page {
  /** What it has last been sent. */
  readonly last: string;
  /** How often it could take nothing since. */
  readonly missed: number;
}

/**
 * Computes the state only while a page is open. Sends `state` when something has changed, and `time` when only the time has,
 * so that a large cluster is not sent twice a second to move a bar, and `waiting` while nothing is known. A page that gets nothing knows that
 * the server is away. A slow reader misses intermediate states, never the last one.
 */
export function createBroadcast(options: {
  /** Undefined if nothing is known yet. */
  readonly read: () => Pick<DashboardState, 'now' | 'readAt'> | undefined;
  readonly repeat: Repeat;
  readonly onFault: (error: unknown) => void;
}): Broadcast {
  const { read, repeat, onFault } = options;
  const pages = new Map<ServerResponse, Page>();
  let stopLooking: (() => void) | undefined;

  const look = (): void => {
    if (pages.size === 0) return;
    try {
      const known = read();
      const { now, readAt, ...rest } = known ?? {};
      const time = JSON.stringify({ now, readAt });
      const state = known && JSON.stringify(rest);
      for (const [response, page] of pages) tell(response, page, { time, state });
    } catch (error) {
      onFault(error);
    }
  };
  const tell = (
    response: ServerResponse,
    { last, missed }: Page,
    { time, state }: { readonly time: string; readonly state: string | undefined },
  ): void => {
    if (missed >= mostMissedLooks) return void response.destroy();
    if (response.writableNeedDrain) return void pages.set(response, { last, missed: missed + 1 });
    if (state === undefined) return void response.write('event: waiting\ndata: {}\n\n');
    pages.set(response, { last: state, missed: 0 });
    response.write(
      state === last
        ? `event: time\ndata: ${time}\n\n`
        : `event: state\ndata: ${time.slice(0, -1)},${state.slice(1)}\n\n`,
    );
  };
  const remove = (response: ServerResponse): void => {
    pages.delete(response);
    if (pages.size > 0) return;
    stopLooking?.();
    stopLooking = undefined;
  };
  return {
    add: (response) => {
      if (pages.size >= mostPages) return respondProblem(response, tooManyPages);
      beginEvents(response);
      response.on('close', () => remove(response));
      pages.set(response, { last: '', missed: 0 });
      stopLooking ??= repeat(millisecondsBetweenLooks, look);
      look();
    },
    look,
  };
}

const tooManyPages = {
  status: 503,
  title: 'Service Unavailable',
  detail: `${mostPages} pages are open already: close some.`,
};
