import type { DashboardState } from './state/types.ts';

/**
 * - `live`: the server has spoken a moment ago;
 * - `lost`: it does not answer, or says nothing;
 * - `refused`: it responds without events: it was restarted with another address, or too many pages are open;
 * - `resting`: the page is hidden and does not listen, so that a forgotten tab costs no calls.
 */
export type Connection = 'live' | 'lost' | 'refused' | 'resting';

/** The times of a state: what changes while nothing else does. */
export type Times = Pick<DashboardState, 'now' | 'readAt'>;

export interface Heard<State> {
  readonly onState: (state: State) => void;
  readonly onTime: (times: Times) => void;
  /** The server is there, and has read nothing yet. */
  readonly onWaiting: () => void;
  readonly onSilence: (connection: Silence) => void;
}

/** What the browser does for the connection. */
export interface BrowserParts {
  readonly open: (path: string) => EventSource;
  /** Milliseconds that pass, also while the machine sleeps. */
  readonly now: () => number;
  readonly isHidden: () => boolean;
  /** Calls back every second, and when the page is shown or hidden. */
  readonly onTurn: (task: () => void) => void;
}

type Silence = Exclude<Connection, 'live'>;

/** The server speaks twice a second. */
const longestSilence = 10_000;
const reconnectMilliseconds = 2000;
const longestHidden = 60_000;

/**
 * Listens to the server for as long as the page is open. A connection over which nothing comes is as good as none, although the browser
 * does not say so: the machine has slept, a tunnel hangs, the server was stopped.
 */
export function listen<State>(heard: Heard<State>, browser: BrowserParts): void {
  const { open, now, isHidden, onTurn } = browser;
  let events: EventSource | undefined;
  let lastWord = now();
  let hiddenSince: number | undefined;

  const connect = (): void => {
    const source = open('api/events');
    const on = (name: string, take: (data: string) => void): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        lastWord = now();
        take(data);
      });
    on('state', (data) => heard.onState(JSON.parse(data) as State));
    on('time', (data) => heard.onTime(JSON.parse(data) as Times));
    on('waiting', () => heard.onWaiting());
    source.addEventListener('error', () => heard.onSilence(silenceOf(source)));
    events = source;
    lastWord = now();
  };
  const disconnect = (connection: Silence): void => {
    events?.close();
    events = undefined;
    lastWord = now();
    heard.onSilence(connection);
  };
  const turn = (): void => {
    hiddenSince = isHidden() ? (hiddenSince ?? now()) : undefined;
    if (hiddenSince !== undefined) {
      if (events && now() - hiddenSince >= longestHidden) disconnect('resting');
      return;
    }
    const silence = now() - lastWord;
    const longest = events && isRefused(events) ? reconnectMilliseconds : longestSilence;
    if (events && silence >= longest) disconnect(silenceOf(events));
    if (!events) connect();
  };
  connect();
  onTurn(turn);
}

/** 2: CLOSED. The browser retries by itself if nothing answered. */
const isRefused = ({ readyState }: EventSource): boolean => readyState === 2;

const silenceOf = (source: EventSource): Silence => (isRefused(source) ? 'refused' : 'lost');
