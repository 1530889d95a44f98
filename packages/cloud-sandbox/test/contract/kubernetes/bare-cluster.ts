import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminOf } from '../../../real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '../../../real/kubernetes/control-plane.ts';
import { type ClusterApi, clusterApi } from './eviction/cluster-api.ts';

/** A real API server in which nothing moves by itself, but for what the named controllers do. */
export interface BareCluster {
  readonly controlPlane: ControlPlane;
  readonly api: ClusterApi;
  close(): Promise<void>;
}

/** Pods need no service accounts there: no controller would make them. */
export async function startBareCluster(controllers: readonly string[] = []): Promise<BareCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'bare-cluster-'));
  const controlPlane = await startControlPlane({
    directory,
    controllers,
    withScheduler: false,
    apiServerFlags: ['--disable-admission-plugins=ServiceAccount'],
  });
  return {
    controlPlane,
    api: clusterApi(adminOf(controlPlane), (seconds) => sleep(seconds * 1000)),
    close: async () => {
      await controlPlane.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
