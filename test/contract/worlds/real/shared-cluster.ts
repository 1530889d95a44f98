import { startStorageDriver } from '@drover/cloud-sandbox/real/kubernetes/storage.ts';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { quickTimings } from '../../../../local/real-world/timings.ts';
import { createRealWorld, type RealWorld } from '../../../../local/real-world/world.ts';
import { type LogLine, readLogLine } from '../../../../local/world/log-line.ts';
import { configureNode } from '../instances.ts';
import { createKiller } from '../killer.ts';
import { openNamespace } from '../namespace.ts';
import type { OwnWorld } from '../world.ts';
import { viewOf } from './view.ts';

/** A real cluster in which several cases may be at work, each with nodes and a namespace of its own. */
export interface SharedCluster {
  open(): Promise<OwnWorld>;
  readonly problems: readonly unknown[];
  close(): Promise<void>;
}

/** `takesTurns`: a world is opened when the one before is closed. */
export async function startSharedCluster({
  takesTurns = false,
}: {
  readonly takesTurns?: boolean;
} = {}): Promise<SharedCluster> {
  const lines: LogLine[] = [];
  const problems: unknown[] = [];
  const killer = createKiller({ clock: () => real.clock, random: createRandom(7) });
  const real: RealWorld = await createRealWorld({
    nodes: 'kubelet',
    timings: quickTimings,
    configureNode,
    aroundRuntime: killer.around,
    onAwsRequest: killer.onCall,
    onLine: (functionName, line) => lines.push(readLogLine(functionName, line)),
    onProblem: (problem) => problems.push(problem),
  });
  const storage = await startStorageDriver(real.admin, (problem) => problems.push(problem));
  const { apiServer } = real.controlPlane;
  const worldOf = (namespace: string): OwnWorld => ({
    ...viewOf({ ...real, namespace, lines }),
    // After a stop signal it would serve its watches for a while.
    apiServer: { stop: () => apiServer.kill(), start: () => apiServer.start() },
    killNext: killer.killNext,
    killed: killer.killed,
  });
  let opened = 0;
  let turn = Promise.resolve();
  return {
    problems,
    open: async () => {
      opened += 1;
      const world = worldOf(`leaving-${opened}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = turn;
      if (takesTurns) turn = promise;
      await before;
      await openNamespace(world);
      return { ...world, close: () => world.close().finally(resolve) };
    },
    close: async () => {
      await storage.stop();
      await real.close();
    },
  };
}
