import { execFile } from 'node:child_process';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { measure, type Outcome } from './measure.ts';
import { inParallel } from './request.ts';
import { openStage, type StagePlan } from './stage.ts';

const username = 'kubectl';

/** A number of parallel `kubectl drain`, like a loop in a shell. */
export async function drainWithKubectl(plan: StagePlan, atOnce: number): Promise<Outcome> {
  const stage = await openStage({ ...plan, contestant: { hook: 'unattended' } });
  try {
    const { files, url } = stage.world.controlPlane;
    const kubeconfig = await files.kubeconfig({ username, groups: ['system:masters'], server: url });
    const completions = new Map<string, number>();
    let drained: Promise<void> | undefined;
    const begin = (): void => {
      drained = inParallel(stage.nodes, atOnce, async ({ instanceId, nodeName }) => {
        await drain(kubeconfig, nodeName);
        completions.set(instanceId, Date.now());
      });
      drained.catch(stage.onProblem);
    };
    const outcome = await measure(stage, { username, completions, begin });
    await drained;
    return outcome;
  } finally {
    await stage.close();
  }
}

const drain = (kubeconfig: string, nodeName: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = [
      '--kubeconfig',
      kubeconfig,
      'drain',
      nodeName,
      '--ignore-daemonsets',
      '--delete-emptydir-data',
    ];
    execFile(program(kubernetes, 'kubectl'), options, (error) => (error ? reject(error) : resolve()));
  });
