import { type EventFilter, noFilter } from './state/events.ts';
import { periodIn, type ReportPeriod } from './state/report.ts';
import { noSearch, type Search, shows } from './state/search.ts';

/** Which report the reader wants. It is not read before the reader asks for it. */
export interface AskedReport {
  readonly days: ReportPeriod;
  /** Empty for every group. */
  readonly group: string;
}

const noReport: AskedReport = { days: 14, group: '' };

/** What the reader looks for: in the groups, in the time line, and in the report. */
export interface Asked {
  readonly search: Search;
  readonly filter: EventFilter;
  readonly report: AskedReport;
}

/** What the query of an address asks for: a page that is loaded again, or sent to a colleague, shows the same. Pure. */
export function askedIn(query: string): Asked {
  const parameters = new URLSearchParams(query);
  const at = Number(parameters.get('at') ?? Number.NaN);
  return {
    search: {
      words: parameters.get('find') ?? noSearch.words,
      show: shows.find(([show]) => show === parameters.get('show'))?.[0] ?? noSearch.show,
      zone: parameters.get('zone') ?? noSearch.zone,
    },
    filter: {
      of: parameters.get('of') ?? noFilter.of,
      failures: parameters.has('failures'),
      ...(Number.isSafeInteger(at) && { at }),
    },
    report: {
      days: periodIn(parameters.get('days')) ?? noReport.days,
      group: parameters.get('report') ?? noReport.group,
    },
  };
}

/** The query that asks for it; empty for a page that shows everything. Pure. */
export function queryOf({ search, filter, report }: Asked): string {
  const parameters = new URLSearchParams();
  const set = (name: string, value: string): void => {
    if (value !== '') parameters.set(name, value);
  };
  set('find', search.words);
  set('show', search.show);
  set('zone', search.zone);
  set('of', filter.of);
  set('at', filter.at === undefined ? '' : String(filter.at));
  set('failures', filter.failures ? 'only' : '');
  set('days', report.days === noReport.days ? '' : String(report.days));
  set('report', report.group);
  return parameters.size === 0 ? '' : `?${parameters}`;
}
