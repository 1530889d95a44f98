import { render } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { type Answer, copyText } from './actions.ts';
import { thisBrowser } from './browser-parts.ts';
import { type Connection, listen } from './connection.ts';
import { keepingFocus } from './keep-focus.ts';
import { type Doing, Doings } from './parts/doing.ts';
import {
  type ClusterSearch,
  type ClustersState,
  clusterQueryOf,
  clusterSearchIn,
  clustersOldSince,
} from './state/clusters.ts';
import { useAnswer } from './use-answer.ts';
import { ClustersPage } from './view/clusters/page.tsx';
import { Masthead } from './view/masthead.tsx';

interface Model {
  readonly state: ClustersState | undefined;
  readonly connection: Connection;
  readonly isReading: boolean;
}

/** Shows the list of all clusters in this element for as long as the page is open. */
export function showClusters(root: HTMLElement): void {
  let model: Model = { state: undefined, connection: 'live', isReading: false };
  const show = (next: Partial<Model>): void => {
    model = { ...model, ...next };
    keepingFocus(() => render(<Clusters {...model} />, root));
  };
  show({});
  listen<ClustersState>(
    {
      onState: (state) => show({ state, connection: 'live' }),
      onTime: (times) =>
        show({ connection: 'live', ...(model.state && { state: { ...model.state, ...times } }) }),
      onWaiting: () => show({ connection: 'live', isReading: true }),
      onSilence: (connection) => show({ connection }),
    },
    thisBrowser(),
  );
}

const nothing = (): void => undefined;

/** All of the page: what was heard, and what the reader looks for. */
function Clusters({ state, connection, isReading }: Model) {
  const [search, setSearch] = useSearch();
  const [answer, tell] = useAnswer();
  const oldSince = state && clustersOldSince(state, connection === 'live');
  const doing = useMemo((): Doing => {
    const copy = (text: string): void => void copyText(text).then((said: Answer) => tell(said));
    return { canAct: false, act: nothing, confirm: nothing, copy, select: nothing, showEvents: nothing };
  }, [tell]);
  return (
    <Doings.Provider value={doing}>
      <div class="app" data-stale={oldSince === undefined ? undefined : ''}>
        <Masthead
          name="all clusters"
          shown={state && { ...state, isOld: oldSince !== undefined }}
          connection={connection}
          isReading={isReading}
        />
        <main class="page" id="page" tabIndex={-1}>
          {state && <ClustersPage state={state} oldSince={oldSince} search={search} setSearch={setSearch} />}
        </main>
        <div class="answers" role="status">
          {answer && (
            <p class="answer" data-ok={String(answer.ok)}>
              {answer.words}
            </p>
          )}
        </div>
      </div>
    </Doings.Provider>
  );
}

/** What the reader looks for is in the address too, so that it is still there after the page is loaded again. */
function useSearch(): readonly [ClusterSearch, (search: ClusterSearch) => void] {
  const [search, keep] = useState(() => clusterSearchIn(location.search));
  const setSearch = useCallback((next: ClusterSearch): void => {
    keep(next);
    history.replaceState(null, '', `${location.pathname}${clusterQueryOf(next)}${location.hash}`);
  }, []);
  return [search, setSearch];
}
