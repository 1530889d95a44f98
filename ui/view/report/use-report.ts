import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ReportCalls } from '../../report-calls.ts';
import type { KeptReport, ReportProgress } from '../../state/report.ts';

/** What the reader has asked for, and what came of it. */
export type Reading =
  | { readonly kind: 'rests' }
  | { readonly kind: 'reads'; readonly days: number; readonly progress?: ReportProgress }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface ReportDesk {
  readonly kept: KeptReport;
  readonly reading: Reading;
  readonly read: (days: number) => void;
  readonly cancel: () => void;
}

/** The report of a group (empty: of every group) of the cluster that the page shows. Only `read` reads logs. */
export function useReport(
  calls: ReportCalls,
  { cluster, group }: { cluster: string; group: string },
): ReportDesk {
  const [kept, setKept] = useState<KeptReport>({ kind: 'none' });
  const [reading, setReading] = useState<Reading>({ kind: 'rests' });
  const [timesRead, count] = useState(0);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    const left = new AbortController();
    calls.latest({ cluster, group }, left.signal).then(setKept, (error: unknown) => {
      if (!left.signal.aborted) setReading({ kind: 'failed', reason: reasonIn(error) });
    });
    return () => left.abort();
  }, [calls, cluster, group, timesRead]);
  // A reading is for the cluster that was shown when it began.
  useEffect(() => () => running.current?.abort(), [cluster]);
  const read = useCallback(
    (days: number): void => {
      const own = new AbortController();
      running.current?.abort();
      running.current = own;
      const on = (next: Reading): void => {
        if (running.current === own) setReading(next);
      };
      on({ kind: 'reads', days });
      const reads = async (): Promise<void> => {
        try {
          const onProgress = (progress: ReportProgress): void => on({ kind: 'reads', days, progress });
          await calls.read({ cluster, days }, { signal: own.signal, onProgress });
          on({ kind: 'rests' });
          count((former) => former + 1);
        } catch (error) {
          on(own.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', reason: reasonIn(error) });
        }
      };
      void reads();
    },
    [calls, cluster],
  );
  const cancel = useCallback(() => running.current?.abort(), []);
  return { kept, reading, read, cancel };
}

const reasonIn = (error: unknown): string => (error instanceof Error ? error.message : String(error));
