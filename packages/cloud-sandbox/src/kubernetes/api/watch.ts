import type { Timer } from '../../simulation/clock.ts';
import type { Context } from '../registry/context.ts';
import { apiVersionOf, resourceKey } from '../resources/definition.ts';
import type { Change } from '../store/change.ts';
import { expired } from './errors.ts';
import { type Item, matcherOf, type Selection } from './list.ts';
import { checkListOptions } from './list-options.ts';
import { line, renderEvent } from './render.ts';
import type { ApiResponse, WatchStream } from './request.ts';
import { StatusError } from './status-error.ts';
import { versionOf } from './versions.ts';

const bookmarkMilliseconds = 60_000;
/** A watch that names no timeout ends between 30 and 60 minutes on the real server. */
const defaultTimeoutSeconds = 1_800;

interface WatchRequest {
  readonly selection: Selection;
  readonly accept: string | undefined;
}

/**
 * Streams changes after `resourceVersion`; without one, or with 0, what there is comes first as ADDED events. An object that
 * begins or ceases to match is ADDED or DELETED. Too old a version: one ERROR event 410 Expired, as the watch cache answers.
 */
export function watchResource(context: Context, request: WatchRequest): ApiResponse {
  checkListOptions(request.selection.query, true);
  versionOf(request.selection.query);
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  return { status: 200, headers, body: '', stream: createStream(context, request) };
}

function createStream({ store, clock }: Context, { selection, accept }: WatchRequest): WatchStream {
  const { definition, query } = selection;
  const matches = matcherOf(selection);
  const collection = store.find(resourceKey(definition));
  const startRevision = store.revision;
  const backlog = backlogOf(selection, { matches, collection, startRevision });
  const rendering = { definition, accept, query };
  return {
    subscribe: (listener) => {
      if (backlog instanceof StatusError) return refuse(listener, backlog);
      let first = true;
      const emit = (type: string, object: Item): void => {
        listener.line(renderEvent(type, object, { ...rendering, now: clock.now() }, first));
        first = false;
      };
      const onChange = (change: Change): void => {
        const type = typeFor(change, matches);
        if (type !== undefined) emit(type, change.object);
      };
      for (const { type, object } of backlog.initial) emit(type, object);
      if (query.get('sendInitialEvents') === 'true' && allowsBookmarks(query))
        listener.line(bookmark(selection, store.revision, true));
      for (const change of collection?.since(backlog.from) ?? []) onChange(change);
      const unsubscribe = collection?.subscribe(onChange);
      const stopTimers = startTimers({ store, clock, selection, listener, onTimeout: () => unsubscribe?.() });
      return () => {
        unsubscribe?.();
        stopTimers();
      };
    },
  };
}

const allowsBookmarks = (query: URLSearchParams): boolean => query.get('allowWatchBookmarks') === 'true';

type Listener = Parameters<WatchStream['subscribe']>[0];

function refuse(listener: Listener, { status }: StatusError): () => void {
  listener.line(line('ERROR', status));
  listener.end();
  return () => undefined;
}

interface Timed extends Pick<Context, 'store' | 'clock'> {
  readonly selection: Selection;
  readonly listener: Listener;
  readonly onTimeout: () => void;
}

/** Sends bookmarks every minute if they are allowed, and ends the watch at its timeout. Returns a function that stops both. */
function startTimers({ store, clock, selection, listener, onTimeout }: Timed): () => void {
  const { query } = selection;
  let bookmarks: Timer | undefined;
  const tick = (): void => {
    listener.line(bookmark(selection, store.revision, false));
    bookmarks = clock.after(bookmarkMilliseconds, tick);
  };
  if (allowsBookmarks(query)) bookmarks = clock.after(bookmarkMilliseconds, tick);
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || defaultTimeoutSeconds;
  const timeout = clock.after(seconds * 1000, () => {
    bookmarks?.cancel();
    onTimeout();
    listener.end();
  });
  return () => {
    bookmarks?.cancel();
    timeout.cancel();
  };
}

interface Start {
  readonly matches: (object: Item) => boolean;
  readonly collection: ReturnType<Context['store']['find']>;
  readonly startRevision: number;
}

interface Backlog {
  readonly initial: readonly { readonly type: 'ADDED'; readonly object: Item }[];
  readonly from: number;
}

function backlogOf(
  { query }: Selection,
  { matches, collection, startRevision }: Start,
): Backlog | StatusError {
  const version = query.get('resourceVersion') ?? '';
  if (version === '' || version === '0' || query.get('sendInitialEvents') === 'true') {
    const present = (collection?.list() ?? []).filter(matches);
    return { initial: present.map((object) => ({ type: 'ADDED', object })), from: startRevision };
  }
  const from = Number(version);
  if (collection?.since(from) === undefined)
    return expired(`too old resource version: ${version} (${startRevision})`);
  return { initial: [], from };
}

function typeFor(
  { type, object, previous }: Change,
  matches: (object: Item) => boolean,
): Change['type'] | undefined {
  const before = previous !== undefined && matches(previous);
  if (type === 'DELETED') return before || matches(object) ? 'DELETED' : undefined;
  if (matches(object)) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}

function bookmark({ definition }: Selection, revision: number, initialEventsEnd: boolean): string {
  const annotations = initialEventsEnd ? { 'k8s.io/initial-events-end': 'true' } : undefined;
  const metadata = {
    resourceVersion: String(revision),
    ...(annotations && { annotations }),
  };
  return line('BOOKMARK', { kind: definition.kind, apiVersion: apiVersionOf(definition), metadata });
}
