import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type KeptReport,
  periodIn,
  type ReportLine,
  type ReportProgress,
  reportPeriods,
} from '../state/report.ts';
import { begin, respond, respondJson, respondProblem } from './respond.ts';

/** A file to download, of the report that the page shows. */
export interface ReportFile {
  readonly name: string;
  readonly body: string;
}

/** Which report the page shows. */
export interface ShownReport {
  /** Undefined for every group. */
  readonly group: string | undefined;
  /** The end of its time. */
  readonly until: string;
}

/** The reports of one cluster. Logs are read only on request: a reading takes up to minutes, and calls of which the account has few. */
export interface ReportSource {
  readonly clusterName: string;
  /** What was read last, of every group or of one. */
  readonly latest: (group: string | undefined) => KeptReport;
  /** Undefined if another report was read since. */
  readonly file: (format: 'csv' | 'json', shown: ShownReport) => ReportFile | undefined;
  /** Rejects with a reason for people: something cannot be read, another page reads, or the signal has ended it. */
  readonly read: (
    days: number,
    options: { readonly onProgress: (progress: ReportProgress) => void; readonly signal: AbortSignal },
  ) => Promise<void>;
}

const paths = ['/api/report', '/api/report.csv', '/api/report.json'];

export const isReportPath = (path: string): boolean => paths.includes(path);

/**
 * `GET api/report` (what was read last), `GET api/report.csv` and `.json` (the same to download), and `POST api/report` with the days, which
 * reads the logs and sends a line of JSON for each step. Each names the cluster that its page shows; a request for another one is refused.
 */
export async function answerReport(
  source: ReportSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page.invalid');
  const isFile = !pathname.endsWith('/report');
  const allow = isFile ? 'GET, HEAD' : 'GET, HEAD, POST';
  if (!allow.split(', ').includes(request.method ?? ''))
    return respondProblem(response, {
      status: 405,
      title: 'Method Not Allowed',
      detail: `Use ${allow}.`,
      headers: { allow },
    });
  const cluster = searchParams.get('cluster');
  if (cluster !== source.clusterName) return respondProblem(response, otherCluster(source, cluster));
  const group = searchParams.get('group') ?? undefined;
  if (isFile) {
    const format = pathname.endsWith('.csv') ? 'csv' : 'json';
    return respondFile(
      response,
      format,
      source.file(format, { group, until: searchParams.get('until') ?? '' }),
    );
  }
  if (request.method !== 'POST') return respondJson(response, source.latest(group));
  const days = periodIn(searchParams.get('days'));
  if (days !== undefined) return await readFor(source, days, response);
  respondProblem(response, {
    status: 400,
    title: 'Bad Request',
    detail: `Give days: one of ${reportPeriods.join(', ')}.`,
  });
}

const otherCluster = ({ clusterName }: ReportSource, asked: string | null) => ({
  status: 409,
  title: 'Conflict',
  detail:
    asked === null
      ? 'Name the cluster that the page shows.'
      : `This is the page of cluster ${clusterName}, and the request is for ${asked}: load the page again.`,
});

function respondFile(response: ServerResponse, format: 'csv' | 'json', file: ReportFile | undefined): void {
  if (file === undefined)
    return respondProblem(response, {
      status: 404,
      title: 'Not Found',
      detail: 'Another report was read since: load the page again to see it.',
    });
  respond(response, {
    contentType: format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json',
    body: file.body,
    headers: { 'content-disposition': `attachment; filename="${file.name}"` },
  });
}

/** Reads while the page waits for it: one that is closed, or that cancels, ends the reading. */
async function readFor(source: ReportSource, days: number, response: ServerResponse): Promise<void> {
  const cancel = new AbortController();
  response.on('close', () => cancel.abort());
  begin(response, 'application/x-ndjson');
  response.flushHeaders();
  const write = (line: ReportLine): void => void response.write(`${JSON.stringify(line)}\n`);
  try {
    await source.read(days, {
      signal: cancel.signal,
      onProgress: (progress) => {
        if (!response.writableNeedDrain) write({ kind: 'progress', progress });
      },
    });
    write({ kind: 'done' });
  } catch (error) {
    if (!cancel.signal.aborted) write({ kind: 'failed', reason: reasonIn(error) });
  }
  response.end();
}

const reasonIn = (error: unknown): string => (error instanceof Error ? error.message : String(error));
