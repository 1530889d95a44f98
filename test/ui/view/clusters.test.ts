// @vitest-environment jsdom
import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { Command } from '../../../ui/parts/copy.tsx';
import { type Doing, Doings } from '../../../ui/parts/doing.ts';
import type { ClusterRow, ClusterSearch, ClustersState } from '../../../ui/state/clusters.ts';
import { ClustersPage } from '../../../ui/view/clusters/page.tsx';
import { now } from '../states.ts';
import { createScreen, type Screen } from './support.ts';

const nothing = (): void => undefined;
const doing: Doing = {
  canAct: false,
  act: nothing,
  confirm: nothing,
  copy: nothing,
  select: nothing,
  showEvents: nothing,
};

const row = (parts: Partial<ClusterRow> = {}): ClusterRow => ({
  stage: 'live',
  clusterName: 'prod',
  page: 'prod@live/',
  state: 'ok',
  counts: { groups: 2, instances: 12, leaving: 1, joining: 0, problems: 0 },
  reasons: [],
  sweptAt: now - 120_000,
  ...parts,
});

const clusters = (parts: Partial<ClustersState> = {}): ClustersState => ({
  now,
  readAt: now - 5000,
  region: 'eu-west-1',
  clusters: [row()],
  problems: [],
  unknown: [],
  ...parts,
});

/** Durations have spaces that do not break. */
const spaced = (text: string | null): string => (text ?? '').replaceAll(/\s/g, ' ');

let screen: Screen;
let search: ClusterSearch;
beforeEach(() => {
  screen = createScreen();
  search = { words: '', onlyUnhealthy: false };
});

const show = (state: ClustersState, oldSince?: number): void =>
  screen.draw(
    h(Doings.Provider, { value: doing }, h(ClustersPage, { state, oldSince, search, setSearch: nothing })),
  );

const rows = (): readonly string[] => screen.all('.clusters > li').map((one) => spaced(one.textContent));

describe('the list of clusters', () => {
  it('has a row for each, with its state, its nodes, its last pass and a link to its page', () => {
    show(clusters());
    expect(rows()).toEqual(['prodHealthystage live12 nodes2 groups1 leavinglast pass 2 min ago']);
    expect(screen.main.querySelector('.clusters a')?.getAttribute('href')).toBe('prod@live/');
    expect(screen.textOf('.sentence')).toBe('The only cluster is healthy.');
  });

  it('never shows a cluster as healthy that could not be read, and names why', () => {
    show(
      clusters({
        clusters: [
          row({
            state: 'unknown',
            counts: null,
            sweptAt: undefined,
            reasons: ['no context', 'no right', 'no log'],
          }),
        ],
      }),
    );
    expect(rows()).toEqual(['prodUnknownstage livelast pass unknownno contextand 2 moreno rightno log']);
    expect(screen.main.querySelector('.headline')?.getAttribute('data-tone')).toBe('warn');
  });

  it('marks a Drover that has not run', () => {
    show(clusters({ clusters: [row({ sweptAt: null }), row({ stage: 'two', sweptAt: now - 3_000_000 })] }));
    const late = screen.all('.swept[data-late]').map((one) => spaced(one.textContent));
    expect(late).toEqual(['no pass in the last hour', 'last pass 50 min ago']);
  });

  it('has no link for a deployment that does not name its cluster', () => {
    show(clusters({ clusters: [row({ clusterName: null, page: null, counts: null, state: 'unknown' })] }));
    expect(screen.textOf('.clusters h3')).toBe('stage live');
    expect(screen.all('.clusters a')).toEqual([]);
  });

  it('has one list of problems, each with the name of its cluster, a link to it, and a command that names it', () => {
    const problem = {
      stage: 'live',
      clusterName: 'prod',
      page: 'prod@live/',
      subject: 'workers',
      message: 'it has no hook: its instances terminate undrained',
      severity: 'critical',
      command: 'drover hooks install workers --cluster prod',
    } as const;
    show(
      clusters({
        problems: [problem, { ...problem, stage: 'b', clusterName: 'Prod', page: 'Prod@b/' }],
        clusters: [row(), row({ stage: 'b', clusterName: 'Prod' })],
      }),
    );
    expect(screen.textOf('.problems h2')).toBe('2 problems');
    expect(screen.all('.problems li .title').map((one) => one.textContent)).toEqual([
      'prod: workers has no hook',
      'Prod: workers has no hook',
    ]);
    expect(screen.all('.problems a').map((one) => one.getAttribute('href'))).toEqual([
      'prod@live/',
      'Prod@b/',
    ]);
    expect(screen.textOf('.problems code')).toBe('drover hooks install workers --cluster prod');
    search = { words: '@', onlyUnhealthy: false };
    show(clusters({ problems: [problem] }));
    expect(screen.all('.problems')).toEqual([]);
    expect(screen.textOf('[role=status]')).toBe('0 of 1 cluster');
  });

  it('has the time of outdated data, and why nothing newer could be read', () => {
    const readAt = now - 600_000;
    show(clusters({ readAt, unknown: [{ what: 'the clusters', reason: 'allow events:ListRules' }] }), readAt);
    expect(screen.textOf('.sentence')).toBe('As of 2026-01-05 07:50:00: The only cluster is healthy.');
    expect(screen.textOf('.figures')).toContain('Read 10 min ago');
    expect(screen.textOf('.unknown')).toContain('allow events:ListRules');
    expect(screen.main.querySelector('.headline')?.getAttribute('data-tone')).toBe('warn');
  });
});

it('a command on the page of one of several clusters names its cluster, stage and context, shown as it is copied', () => {
  const copied: string[] = [];
  const place = { stage: 'live', clusterName: 'prod', context: 'prod/eu' };
  const value = { ...doing, place, copy: (text: string) => void copied.push(text) };
  screen.draw(h(Doings.Provider, { value }, h(Command, { text: 'drover events --follow', what: 'it' })));
  const named = 'DROVER_CLUSTER=prod drover events --follow --stage live --context prod/eu';
  expect(screen.textOf('code')).toBe(named);
  (screen.main.querySelector('button') as HTMLButtonElement).click();
  expect(copied).toEqual([named]);
});
