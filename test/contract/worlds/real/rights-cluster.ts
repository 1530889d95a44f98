import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cloud } from '@drover/cloud-sandbox';
import { adminOf } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { startKwok } from '@drover/cloud-sandbox/real/kubernetes/nodes/kwok.ts';
import { createRealNodes } from '@drover/cloud-sandbox/real/kubernetes/nodes/real-nodes.ts';
import { startStorageDriver } from '@drover/cloud-sandbox/real/kubernetes/storage.ts';
import {
  createRandom,
  createRealClock,
  createVirtualClock,
  type VirtualClock,
} from '@drover/cloud-sandbox/simulation';
import { createDroverCloud } from '../../../../local/cloud/drover-cloud.ts';
import { publishKubeconfig } from '../../../../local/cloud/furnish.ts';
import { loadDeployment } from '../../../../local/deployment/load-deployment.ts';
import { clusterName } from '../../../../local/names.ts';
import { quickTimings } from '../../../../local/real-world/timings.ts';
import type { LogLine } from '../../../../local/world/log-line.ts';
import type { RbacManifest } from '../../../../local/world/rbac.ts';
import { configureNode } from '../instances.ts';
import { losePublished } from '../lose-published.ts';
import { openNamespace } from '../namespace.ts';
import type { RightsWorld } from '../rights-world.ts';
import { grantAs } from './grant.ts';
import { viewOf } from './view.ts';

/** One real cluster with several Drovers, each in an account of its own and with rights of its own. */
export interface RightsCluster {
  open(manifests: readonly RbacManifest[]): Promise<RightsWorld>;
  readonly problems: readonly unknown[];
  close(): Promise<void>;
}

const accountId = '123456789012';
const region = 'eu-west-1';

/** The functions run from source in this process, and kwok plays the nodes: so a dozen of them cost little. */
export async function startRightsCluster(): Promise<RightsCluster> {
  const problems: unknown[] = [];
  const onProblem = (problem: unknown): void => void problems.push(problem);
  const directory = mkdtempSync(join(tmpdir(), 'rights-'));
  const controlPlane = await startControlPlane({ directory });
  const admin = adminOf(controlPlane);
  const player = await startKwok({ directory, kubeconfig: controlPlane.kubeconfig });
  const storage = await startStorageDriver(admin, onProblem);
  const nodes = createRealNodes({
    controlPlane,
    admin,
    onProblem,
    bootstrapKubeconfig: async () => undefined,
  });
  const wiring = await loadDeployment({ accountId, region });
  const stops: (() => void)[] = [];
  const deploy = ({
    clock,
    seed,
    token,
    lines,
  }: {
    readonly clock: VirtualClock;
    readonly seed: number;
    readonly token: string;
    readonly lines: LogLine[];
  }): Cloud => {
    const cloud = createDroverCloud({
      clock,
      wiring,
      accountId,
      region,
      clusterName,
      onProblem,
      random: createRandom(seed),
      sendToKubernetes: admin.sendHttp,
      timings: quickTimings,
      kubelets: { joinSeconds: 0, startKubelet: nodes.registerForKwok, configure: configureNode },
      onLine: (functionName, line) => lines.push({ functionName, ...(JSON.parse(line) as object) }),
    });
    publishKubeconfig(cloud, {
      parameterName: cloud.lambda.functionOf('node-leaving').environment.DROVER_KUBECONFIG_PARAMETER ?? '',
      server: controlPlane.url,
      token,
      certificateAuthority: controlPlane.files.authority.certificate,
    });
    return cloud;
  };
  let opened = 0;
  return {
    problems,
    open: async (manifests) => {
      opened += 1;
      const [namespace, seed] = [`rights-${opened}`, opened];
      const token = await grantAs(admin, { name: namespace, manifests });
      const lines: LogLine[] = [];
      const clock = createRealClock({ speed: 1 });
      const cloud = deploy({ clock, seed, token, lines });
      clock.start();
      cloud.lambda.start();
      stops.push(() => {
        cloud.lambda.stop();
        clock.stop();
      });
      const world = viewOf({ cloud, admin, namespace, lines, runStaticPod: nodes.runStaticPod });
      await openNamespace(world);
      // Hours pass in an account in which nothing else happens.
      const hours = createVirtualClock(Date.now());
      const timeless = deploy({ clock: hours, seed, token, lines });
      return {
        ...world,
        losePublished: () => losePublished(timeless),
        rotate: async (hoursLater) => {
          hours.moveTo(hours.now() + hoursLater * 3_600_000);
          return await timeless.lambda.invoke('bootstrap-credential', {});
        },
      };
    },
    close: async () => {
      for (const stop of stops) stop();
      await Promise.all([storage.stop(), nodes.close(), player.kill()]);
      await controlPlane.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
