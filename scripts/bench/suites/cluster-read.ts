import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { type Figure, median, type Suite } from '../figure.ts';
import { startGeneratedApiServer } from '../generated-api-server.ts';
import { wholeCluster } from '../whole-objects.ts';

const rounds = 3;
const ratioGoal = 1.5;
/** What prewarm has if holds for pods are on (deploy/prewarm.yml). */
const functionMegabytes = 1024;
/** The memory with which a function of Lambda has one processor. Less memory is a share of it. */
const megabytesOfProcessor = 1769;
/** Of the 20 s of an invocation (docs/adr/0040-a-hold-for-pods-is-a-number-that-prewarm-reads.md). */
const secondsGoal = 9;
/** The rest of the memory is for what is not in the heap: code, buffers of pages, sockets. */
const heapMegabytes = 576;

const child = join(import.meta.dirname, '..', 'children', 'read-cluster.ts');
const run = promisify(execFile);

const costSchema = z.object({ pods: z.number(), cpuMilliseconds: z.number(), peakKilobytes: z.number() });
type Cost = z.infer<typeof costSchema>;

async function costOf(mode: 'read' | 'parse', url: string): Promise<Cost> {
  const { stdout } = await run(process.execPath, [`--max-old-space-size=${heapMegabytes}`, child, url, mode]);
  const cost = costSchema.parse(JSON.parse(stdout));
  const expected = wholeCluster.nodes * wholeCluster.podsPerNode;
  if (cost.pods !== expected) throw new Error(`${cost.pods} of ${expected} pods were read`);
  return cost;
}

/** Interleaved, so that a machine that is busy for a while is busy for both. */
async function measure(): Promise<readonly Figure[]> {
  const server = await startGeneratedApiServer();
  const reads: Cost[] = [];
  const parses: Cost[] = [];
  try {
    // The server makes its pages.
    await costOf('parse', server.url);
    for (let round = 0; round < rounds; round += 1) {
      parses.push(await costOf('parse', server.url));
      reads.push(await costOf('read', server.url));
    }
  } finally {
    server.close();
  }
  const cpuOf = (costs: readonly Cost[]): number =>
    median(costs.map(({ cpuMilliseconds }) => cpuMilliseconds));
  return [
    { name: 'a read of 1,000 nodes and 15,000 pods', value: cpuOf(reads), unit: 'CPU ms' },
    {
      name: 'the time of the read with the processor of prewarm',
      value: (cpuOf(reads) / 1000) * (megabytesOfProcessor / functionMegabytes),
      unit: 's',
      goal: secondsGoal,
    },
    { name: 'the same pages received and parsed, nothing else', value: cpuOf(parses), unit: 'CPU ms' },
    { name: 'the read against that', value: cpuOf(reads) / cpuOf(parses), unit: 'x', goal: ratioGoal },
    {
      name: 'the most memory of the read',
      value: Math.max(...reads.map(({ peakKilobytes }) => peakKilobytes)) / 1024,
      unit: 'MiB',
      goal: functionMegabytes,
    },
  ];
}

/** Prewarm reads the whole cluster for holds for pods. */
export const clusterRead: Suite = {
  name: 'cluster-read',
  about:
    'the CPU time and the memory of a read of 1,000 nodes and 15,000 pods, as prewarm does it for holds for pods',
  run: measure,
};
