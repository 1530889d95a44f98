import { Worker } from 'node:worker_threads';
import type { LifetimeReport } from './lifetime.ts';

/** What became of many lifetimes. */
export interface ManyReport {
  readonly reports: readonly LifetimeReport[];
  readonly wallSeconds: number;
  /** Of this process and its threads: what it costs, however busy the machine is with other things. */
  readonly cpuSeconds: number;
}

export interface ManyOptions {
  readonly firstSeed: number;
  readonly count: number;
  /** How many threads live them side by side. */
  readonly threads: number;
  /** Called when a lifetime ends. */
  readonly onReport?: (report: LifetimeReport, ended: number) => void;
}

/** Lives so many lifetimes, each thread the next seed that is left. Rejects when a lifetime could not be lived at all. */
export async function liveMany({ firstSeed, count, threads, onReport }: ManyOptions): Promise<ManyReport> {
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  const reports: LifetimeReport[] = [];
  let next = firstSeed;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url));
      const giveNext = (): void => {
        if (next >= firstSeed + count) {
          void worker.terminate();
          return;
        }
        worker.postMessage(next, []);
        next += 1;
      };
      worker.on('message', (report: LifetimeReport) => {
        reports.push(report);
        onReport?.(report, reports.length);
        giveNext();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      giveNext();
    });
  await Promise.all(Array.from({ length: threads }, work));
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    reports: reports.toSorted((one, other) => one.seed - other.seed),
    wallSeconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
  };
}
