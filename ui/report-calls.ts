import type { KeptReport, ReportLine, ReportProgress } from './state/report.ts';

/** How the page gets reports. Each call names the cluster that the page shows, and the server refuses any other. */
export interface ReportCalls {
  /** What was read last, as it is for a group; empty for every group. Reads no logs. */
  readonly latest: (shown: Shown, signal: AbortSignal) => Promise<KeptReport>;
  /** Reads the logs. Rejects with a reason for people, and ends if the signal does. */
  readonly read: (
    asked: { readonly cluster: string; readonly days: number },
    options: { readonly onProgress: (progress: ReportProgress) => void; readonly signal: AbortSignal },
  ) => Promise<void>;
}

interface Shown {
  readonly cluster: string;
  readonly group: string;
}

export const reportCalls: ReportCalls = {
  latest: async (shown, signal) => {
    const response = await fetch(`api/report?${queryOf(shown)}`, { signal });
    if (!response.ok) throw new Error(await detailOf(response));
    return (await response.json()) as KeptReport;
  },
  read: async ({ cluster, days }, { onProgress, signal }) => {
    const query = new URLSearchParams({ cluster, days: String(days) });
    const response = await fetch(`api/report?${query}`, { method: 'POST', signal });
    if (!response.ok || !response.body) throw new Error(await detailOf(response));
    for await (const line of linesOf(response.body)) {
      const read = JSON.parse(line) as ReportLine;
      if (read.kind === 'done') return;
      if (read.kind === 'failed') throw new Error(read.reason);
      onProgress(read.progress);
    }
    throw new Error('drover ui ended before the report was read');
  },
};

/** The address of a file with the report that is shown. */
export const reportFile = (
  format: 'csv' | 'json',
  { until, ...shown }: Shown & { readonly until: string },
): string => `api/report.${format}?${queryOf(shown)}&${new URLSearchParams({ until })}`;

const queryOf = ({ cluster, group }: Shown): string =>
  String(new URLSearchParams({ cluster, ...(group !== '' && { group }) }));

async function detailOf(response: Response): Promise<string> {
  const { detail } = (await response.json()) as { readonly detail?: string };
  return detail ?? `drover ui answered ${response.status}`;
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
