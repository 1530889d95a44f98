import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { act, copyText } from './actions.ts';
import { type Asked, askedIn, queryOf } from './address.ts';
import type { Connection } from './connection.ts';
import { type Action, type Doing, Doings, type Question } from './parts/doing.ts';
import { reportCalls } from './report-calls.ts';
import { consoleLinks } from './state/console-links.ts';
import { noFilter } from './state/events.ts';
import { heardState } from './state/heard-state.ts';
import type { DashboardState } from './state/types.ts';
import { useAnswer } from './use-answer.ts';
import { ConfirmDialog } from './view/confirm-dialog.tsx';
import { Masthead, nameOf } from './view/masthead.tsx';
import { Page } from './view/page.tsx';

/** What the page has heard. */
export interface Model {
  readonly state: DashboardState | undefined;
  readonly connection: Connection;
  /** The server reads for the first time. */
  readonly isReading: boolean;
  /** The last changes, in sentences for a screen reader. */
  readonly changes: readonly { readonly number: number; readonly words: string }[];
}

interface AskedQuestion extends Question {
  /** The cluster that was shown with it. */
  readonly cluster: string;
}

/** The whole page: what was heard, and what the reader has chosen. */
export function App({ state, connection, isReading, changes }: Model) {
  const [asked, ask, askReport] = useAsked();
  const [selected, select] = useSelection();
  const [question, setQuestion] = useState<AskedQuestion>();
  const [answer, tell] = useAnswer();
  const keep = useCallback(() => setQuestion(undefined), []);
  const canAct = state?.source !== 'account';
  const hasReports = state?.hasReports === true;
  const heard = state && heardState(state, connection);
  const { source = 'sandbox', region, stage, place, clusterName = '' } = state ?? {};
  const links = useMemo(
    () =>
      consoleLinks({
        source,
        ...(region !== undefined && { region }),
        ...(stage !== undefined && { stage }),
      }),
    [source, region, stage],
  );
  const doing = useMemo(
    (): Doing => ({
      canAct,
      act: (action) => void act(action, clusterName).then(tell),
      confirm: (asks) => setQuestion({ ...asks, cluster: clusterName }),
      copy: (text) => void copyText(text).then(tell),
      select,
      showEvents: (of) => {
        ask({ filter: { ...noFilter, of } });
        requestAnimationFrame(() => document.getElementById('events')?.scrollIntoView());
      },
      ...(hasReports && {
        reports: reportCalls,
        showReport: (group: string) => {
          askReport(group);
          requestAnimationFrame(() => document.getElementById('report')?.scrollIntoView());
        },
      }),
      place,
      links,
    }),
    [canAct, clusterName, hasReports, place, links],
  );
  const setters = useMemo(
    () => ({
      setSearch: (search: Asked['search']) => ask({ search }),
      setFilter: (filter: Asked['filter']) => ask({ filter }),
      setReport: (report: Asked['report']) => ask({ report }),
    }),
    [],
  );
  const confirmed = (action: Action): void => {
    keep();
    // The cluster that was shown with the question: the page may show another one by now.
    if (question) void act(action, question.cluster).then(tell);
  };
  return (
    <Doings.Provider value={doing}>
      <div class="app" data-stale={heard?.oldSince === undefined ? undefined : ''}>
        <Masthead
          name={state && nameOf(state)}
          shown={heard && { ...heard.state, isOld: heard.oldSince !== undefined }}
          connection={connection}
          isReading={isReading}
        />
        <main class="page" id="page" tabIndex={-1}>
          {heard && <Page {...heard} view={{ ...asked, ...setters, selected }} />}
        </main>
        <div class="visually-hidden" role="log" aria-label="Changes">
          {changes.map(({ number, words }) => (
            <p key={number}>{words}</p>
          ))}
        </div>
        <div class="answers" role="status">
          {answer && (
            <p class="answer" data-ok={String(answer.ok)}>
              {answer.words}
            </p>
          )}
        </div>
        <ConfirmDialog question={question} onConfirm={confirmed} onKeep={keep} />
      </div>
    </Doings.Provider>
  );
}

/** What the reader looks for. It is in the address too, so that it is still there after the page is loaded again. */
function useAsked() {
  const [asked, setAsked] = useState<Asked>(() => askedIn(location.search));
  const change = useCallback((changed: (former: Asked) => Asked): void => {
    setAsked((former) => {
      const next = changed(former);
      history.replaceState(null, '', `${location.pathname}${queryOf(next)}${location.hash}`);
      return next;
    });
  }, []);
  const ask = useCallback((parts: Partial<Asked>) => change((former) => ({ ...former, ...parts })), []);
  const askReport = useCallback(
    (group: string) => change((former) => ({ ...former, report: { ...former.report, group } })),
    [],
  );
  return [asked, ask, askReport] as const;
}

/** The chosen instance is in the address too: `#i-0123456789abcdef0` is a link to it. */
function useSelection(): readonly [string | undefined, (instanceId: string) => void] {
  const [selected, setSelected] = useState<string | undefined>(inAddress);
  useEffect(() => {
    const follow = (): void => setSelected(inAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const select = useCallback((instanceId: string): void => {
    history.replaceState(null, '', `${location.search}#${instanceId}`);
    setSelected(instanceId);
    // One that leaves or joins is shown above the cell that was chosen.
    requestAnimationFrame(() => document.getElementById(instanceId)?.scrollIntoView({ block: 'nearest' }));
  }, []);
  return [selected, select];
}

const inAddress = (): string | undefined => /^#(i-[0-9a-f]+)$/.exec(location.hash)?.[1];
