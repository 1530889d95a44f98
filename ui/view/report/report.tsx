import { useContext, useEffect, useRef } from 'preact/hooks';
import type { AskedReport } from '../../address.ts';
import { Doings } from '../../parts/doing.ts';
import { type ReportCalls, reportFile } from '../../report-calls.ts';
import {
  daysOf,
  periodText,
  progressShare,
  type ReportPeriod,
  type ReportView,
  reportPeriods,
} from '../../state/report.ts';
import { age, dateTime } from '../../state/words.ts';
import { ReportTables } from './tables.tsx';
import { type Reading, useReport } from './use-report.ts';

interface ReportProps {
  readonly cluster: string;
  readonly groups: readonly string[];
  readonly asked: AskedReport;
  readonly setAsked: (asked: AskedReport) => void;
  /** In whole minutes. */
  readonly now: number;
}

/** What drains, joins and holds of weeks took. It is read only when the reader asks for it. */
export function ReportPart(props: ReportProps) {
  const { reports } = useContext(Doings);
  return reports && <Report key={props.cluster} {...props} calls={reports} />;
}

function Report({
  calls,
  cluster,
  groups,
  asked,
  setAsked,
  now,
}: ReportProps & { readonly calls: ReportCalls }) {
  const { days, group } = asked;
  const { kept, reading, read, cancel } = useReport(calls, { cluster, group });
  const isReading = reading.kind === 'reads';
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that cancels has gone.
  useEffect(() => {
    if (!isReading && document.activeElement === document.body && kept.kind !== 'none')
      heading.current?.focus();
  }, [isReading]);
  return (
    <section class="panel report" aria-labelledby="report">
      <h2 id="report" ref={heading} tabIndex={-1}>
        Report of {cluster}
      </h2>
      <form class="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Period</span>
          <select
            value={days}
            disabled={isReading}
            onChange={({ currentTarget }) =>
              setAsked({ ...asked, days: Number(currentTarget.value) as ReportPeriod })
            }
          >
            {reportPeriods.map((period) => (
              <option key={period} value={period}>
                {periodText(period)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Group</span>
          <select
            value={group}
            onChange={({ currentTarget }) => setAsked({ ...asked, group: currentTarget.value })}
          >
            <option value="">All groups</option>
            {[...new Set([...groups, ...(group === '' ? [] : [group])])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-disabled={isReading ? 'true' : undefined}
          onClick={() => {
            if (!isReading) read(days);
          }}
        >
          Read the logs
        </button>
        {isReading && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </form>
      <Progress reading={reading} now={now} />
      <p role="status" class={reading.kind === 'failed' ? 'lacks' : undefined}>
        {said(reading)}
      </p>
      {kept.kind === 'none' && reading.kind === 'rests' && (
        <p class="quiet">
          Nothing is read before you ask for it: reading {periodText(days)} of logs takes from seconds to
          minutes, and calls to CloudWatch Logs, of which the account has few each second.
        </p>
      )}
      {kept.kind === 'no-group' && <p class="nothing">{group} was not there when the report was read.</p>}
      {kept.kind === 'report' && <Shown report={kept.report} asked={asked} now={now} />}
    </section>
  );
}

function said(reading: Reading): string {
  if (reading.kind === 'reads') return `Reading ${periodText(reading.days)}`;
  if (reading.kind === 'cancelled') return 'Cancelled: nothing more is read';
  return reading.kind === 'failed' ? `It could not be read: ${reading.reason}` : '';
}

function Progress({ reading, now }: { readonly reading: Reading; readonly now: number }) {
  if (reading.kind !== 'reads' || !reading.progress) return null;
  const { days, progress } = reading;
  const share = progressShare(progress, { since: now - days * 86_400_000, until: now });
  const { log, lines, oldest } = progress;
  const back = oldest === undefined ? '' : `, back to ${dateTime(oldest)}`;
  return (
    <div class="report-progress">
      <progress max={1} value={share} aria-label="Logs that were read" />
      <span class="quiet">{`${log}: ${lines.toLocaleString('en')} lines${back}`}</span>
    </div>
  );
}

function Shown({
  report,
  asked,
  now,
}: {
  readonly report: ReportView;
  readonly asked: AskedReport;
  readonly now: number;
}) {
  const { cluster, group, since, until } = report;
  const end = Date.parse(until);
  const file = { cluster, group: group ?? '', until };
  const days = daysOf(report);
  return (
    <>
      <p class="report-of">
        <strong>{`${cluster}, ${group ?? 'all groups'}`}</strong>
        {`: ${dateTime(Date.parse(since))} to ${dateTime(end)} UTC `}
        <span class="quiet">{now - end < 60_000 ? '(just read)' : `(read ${age(now - end)} ago)`}</span>
      </p>
      {days !== asked.days && (
        <p class="lacks">{`This is the report of ${periodText(days)}. Read the logs for ${periodText(asked.days)}.`}</p>
      )}
      <p class="links">
        <a href={reportFile('csv', file)} download>
          Download CSV
        </a>
        <a href={reportFile('json', file)} download>
          Download JSON
        </a>
      </p>
      <ReportTables report={report} />
    </>
  );
}
