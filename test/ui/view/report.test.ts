// @vitest-environment jsdom
import { h } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { Doings } from '../../../ui/parts/doing.ts';
import type { ReportCalls } from '../../../ui/report-calls.ts';
import type { KeptReport, ReportView } from '../../../ui/state/report.ts';
import { Page, type PageView } from '../../../ui/view/page.tsx';
import { group, now, state } from '../states.ts';
import { createScreen, noView, type Screen } from './support.ts';

const nothing = (): void => undefined;

const report = (parts: Partial<ReportView> = {}): ReportView => ({
  cluster: 'prod',
  stage: 'live',
  group: null,
  since: new Date(now - 14 * 86_400_000).toISOString(),
  until: new Date(now).toISOString(),
  sections: [
    { title: 'Drains', unknown: 'the log of node-leaving cannot be read', tables: [] },
    {
      title: 'Budgets that held nodes',
      tables: [{ head: ['PodDisruptionBudget', 'Nodes'], rows: [['shop/web', '6']], sentences: [] }],
    },
    {
      title: 'Joins',
      tables: [{ head: ['Group', 'Joined'], rows: [], sentences: ['1 node is still joining'] }],
    },
  ],
  covers: ['logs from 2026-01-05T08:00:00Z: 12 lines'],
  missing: ['the logs begin later'],
  ...parts,
});

/** A server that a test answers for. */
function createServer() {
  const readings: { cluster: string; days: number; options: Parameters<ReportCalls['read']>[1] }[] = [];
  const shown: string[] = [];
  const kept = new Map<string, KeptReport>();
  let end = Promise.withResolvers<void>();
  const calls: ReportCalls = {
    latest: ({ cluster, group: of }) => {
      shown.push(`${cluster} ${of}`);
      return Promise.resolve(kept.get(`${cluster} ${of}`) ?? { kind: 'none' });
    },
    read: (asked, options) => {
      readings.push({ ...asked, options });
      end = Promise.withResolvers();
      options.signal.addEventListener('abort', () => end.reject(new Error('aborted')));
      return end.promise;
    },
  };
  return {
    calls,
    readings,
    shown,
    keep: (key: string, value: KeptReport): void => void kept.set(key, value),
    end: (): void => end.resolve(),
    fail: (reason: string): void => end.reject(new Error(reason)),
  };
}

let screen: Screen;
let server: ReturnType<typeof createServer>;
let view: PageView;

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Does something, and lets the page take what came of it. */
async function during(deed: () => void): Promise<void> {
  await act(async () => {
    deed();
    await turn();
  });
  await act(turn);
}

async function show(parts: Parameters<typeof state>[0] = {}): Promise<void> {
  const doing = {
    canAct: false,
    act: nothing,
    confirm: nothing,
    copy: nothing,
    select: nothing,
    showEvents: nothing,
    reports: server.calls,
  };
  const shown = state({ source: 'account', clusterName: 'prod', hasReports: true, ...parts });
  await during(() => screen.draw(h(Doings.Provider, { value: doing }, h(Page, { state: shown, view }))));
}

const button = (words: string): HTMLButtonElement | undefined =>
  screen.all('.report button').find((one) => one.textContent === words) as HTMLButtonElement | undefined;

const press = (words: string): Promise<void> => during(() => button(words)?.click());

beforeEach(() => {
  screen = createScreen();
  server = createServer();
  view = noView;
});

describe('the report on the page', () => {
  it('is read only when the reader asks for it, however often the state of the page changes', async () => {
    for (const desiredCapacity of [1, 2, 3]) await show({ groups: [group({ desiredCapacity })] });
    expect(server.readings).toEqual([]);
    expect(server.shown).toEqual(['prod ']);
    expect(screen.textOf('.report')).toContain('Nothing is read before you ask for it');
    await press('Read the logs');
    expect(server.readings).toMatchObject([{ cluster: 'prod', days: 14 }]);
  });

  it('shows how far it is, can be cancelled, and says that nothing more is read', async () => {
    await show();
    await press('Read the logs');
    await during(() =>
      server.readings[0]?.options.onProgress({ log: 'sweep', done: 11, all: 13, lines: 12_345, oldest: now }),
    );
    expect(screen.textOf('.report > [role=status]')).toBe('Reading 14 days');
    expect(screen.textOf('.report-progress')).toBe('sweep: 12,345 lines, back to 2026-01-05 08:00:00');
    expect(Number(screen.main.querySelector('.report progress')?.getAttribute('value'))).toBeCloseTo(11 / 13);
    await press('Read the logs');
    expect(server.readings).toHaveLength(1);
    await press('Cancel');
    expect(server.readings[0]?.options.signal.aborted).toBe(true);
    expect(screen.textOf('.report > [role=status]')).toBe('Cancelled: nothing more is read');
    expect(button('Cancel')).toBeUndefined();
  });

  it('shows what was read, and what is not known or lacks, which never looks like nothing', async () => {
    await show();
    await press('Read the logs');
    server.keep('prod ', { kind: 'report', report: report() });
    await during(() => server.end());
    const parts = screen.all('.report-part').map((one) => one.textContent);
    expect(parts).toEqual([
      'Drainsnot known: the log of node-leaving cannot be read',
      'Budgets that held nodesPodDisruptionBudgetNodesshop/web6',
      'Joinsnone1 node is still joining',
      'What this coverslogs from 2026-01-05T08:00:00Z: 12 linesmissing: the logs begin later',
    ]);
    expect(screen.textOf('.report-of')).toBe(
      'prod, all groups: 2025-12-22 08:00:00 to 2026-01-05 08:00:00 UTC (just read)',
    );
    expect(screen.all('.report a').map((one) => one.getAttribute('href'))).toEqual([
      'api/report.csv?cluster=prod&until=2026-01-05T08%3A00%3A00.000Z',
      'api/report.json?cluster=prod&until=2026-01-05T08%3A00%3A00.000Z',
    ]);
  });

  it('keeps what it showed where the next reading fails, and says why', async () => {
    server.keep('prod ', {
      kind: 'report',
      report: report({ until: new Date(now - 3_600_000).toISOString() }),
    });
    await show();
    expect(screen.textOf('.report-of')).toContain('(read 1 h ago)');
    await press('Read the logs');
    await during(() => server.fail('User ana is not authorized'));
    expect(screen.textOf('.report > [role=status]')).toBe('It could not be read: User ana is not authorized');
    expect(screen.all('.report-part')).toHaveLength(4);
  });

  it('names its period if another one is chosen', async () => {
    server.keep('prod ', { kind: 'report', report: report() });
    view = { ...noView, report: { days: 1, group: '' } };
    await show();
    expect(screen.textOf('.report')).toContain('This is the report of 14 days. Read the logs for 24 hours.');
  });

  it('of a group is what was read of every group, without another reading', async () => {
    server.keep('prod ', { kind: 'report', report: report() });
    server.keep('prod workers', { kind: 'report', report: report({ group: 'workers' }) });
    server.keep('prod gone', { kind: 'no-group' });
    await show();
    view = { ...noView, report: { days: 14, group: 'workers' } };
    await show();
    expect(screen.textOf('.report-of strong')).toBe('prod, workers');
    view = { ...noView, report: { days: 14, group: 'gone' } };
    await show();
    expect(screen.textOf('.report')).toContain('gone was not there when the report was read.');
    expect(server.readings).toEqual([]);
  });

  it('of another cluster begins empty, and ends the reading of the one before', async () => {
    server.keep('prod ', { kind: 'report', report: report() });
    await show();
    await press('Read the logs');
    await show({ clusterName: 'staging' });
    expect(server.readings[0]?.options.signal.aborted).toBe(true);
    expect(screen.textOf('.report h2')).toBe('Report of staging');
    expect(screen.all('.report-part')).toEqual([]);
    await press('Read the logs');
    expect(server.readings[1]).toMatchObject({ cluster: 'staging' });
  });

  it('has at most the rows that it was sent, and says how many more there are', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => [`shop/web-${index}`, '1']);
    const table = {
      head: ['PodDisruptionBudget', 'Nodes'] as [string, string],
      rows,
      more: 4900,
      sentences: [],
    };
    server.keep('prod ', {
      kind: 'report',
      report: report({ sections: [{ title: 'Budgets', tables: [table] }] }),
    });
    await show();
    expect(screen.all('.report tbody tr')).toHaveLength(100);
    expect(screen.textOf('.report-part')).toContain('and 4,900 more: the files have all');
  });

  it('is not there where the server has no logs', async () => {
    await show({ hasReports: undefined });
    expect(screen.all('.report')).toEqual([]);
  });
});
