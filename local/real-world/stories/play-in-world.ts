import { readFile } from 'node:fs/promises';
import type { Cloud } from '@drover/cloud-sandbox';
import { thisMachine } from '../../../cli/context.ts';
import { addGroup } from '../../cloud/furnish.ts';
import { applyManifests } from '../../deployment/apply-manifests.ts';
import { clusterName, hookName, joiningHookName } from '../../names.ts';
import { isWhole } from '../../story/etcd-story.ts';
import { makeWebhookSecret } from '../../story/log-in.ts';
import { droverOn } from '../../story/seeds/drover-command.ts';
import { pause, play } from '../../story/seeds/play.ts';
import type { SeedStory } from '../../story/seeds/step.ts';
import { isSteady } from '../../story/seeds/workers.ts';
import type { View } from '../../story/view.ts';
import type { AccountOptions } from '../account.ts';
import { createStackedWorld } from '../stacked/world.ts';
import { environmentOf, type ReachedWorld } from '../terminal.ts';
import { quickTimings } from '../timings.ts';
import { createRealWorld } from '../world.ts';
import { type RealParts, realStage } from './stage.ts';

export interface WorldStoryParts extends Pick<AccountOptions, 'onLine' | 'onProblem'> {
  readonly workers: number;
  /** How many times as fast as this machine's the account's time passes, for a story whose nodes are kwok's. */
  readonly speed: number;
  readonly say: (text: string) => void;
}

/** How long the cluster of a story may take to be there, in seconds of the account. */
const patienceSeconds = 900;

/** Why no real program can play the story; undefined if they can. */
export const whyNotReal = ({ name, cluster }: SeedStory): string | undefined =>
  cluster === 'openshift-3.11'
    ? `--story ${name} needs the APIs of Kubernetes 1.11, of which there is no program here. The sandbox plays it: npm start -- --story ${name}`
    : undefined;

/**
 * Plays the story of a document in a world of real programs, and ends the world. Its steps, commands and time limits are those of the sandbox.
 *
 * @returns false if the story has failed: it has said where
 * @throws Error if the world does not come up
 */
export async function playInWorld(story: SeedStory, parts: WorldStoryParts): Promise<boolean> {
  const world = story.cluster === 'etcd-beside' ? await openControllers(parts) : await openKubelets(parts);
  const { cloud, clock } = world;
  try {
    makeWebhookSecret(cloud);
    const stage = realStage(world);
    const until = async (what: string, holds: (view: View) => boolean): Promise<void> => {
      const end = clock.now() + patienceSeconds * 1000;
      while (!holds(await stage.look())) {
        if (clock.now() > end) throw new Error(`${what}: not within ${patienceSeconds} s`);
        await pause(clock, 1);
      }
    };
    if (story.cluster === 'etcd-beside') {
      await until('a cluster of etcd', isWhole);
      // No member is removed without one, and the schedule makes the first one within minutes.
      await cloud.lambda.invoke('etcd-snapshot', {});
    }
    addWorkers(cloud, parts.workers);
    await until('Ready workers', isSteady);
    const machine = {
      ...thisMachine(),
      environment: environmentOf(world),
      clock,
      pause: (milliseconds: number) => pause(clock, milliseconds / 1000),
    };
    return await play(story, { stage, clock, say: parts.say, drover: droverOn(machine) });
  } finally {
    await world.close();
  }
}

type OpenWorld = ReachedWorld & RealParts & { close(): Promise<void> };

/** Kubelets, whose certificates only Drover approves, and the workloads of the sandbox on them. */
async function openKubelets({ onLine, onProblem }: WorldStoryParts): Promise<OpenWorld> {
  const world = await createRealWorld({
    nodes: 'kubelet',
    approver: 'drover',
    onProblem,
    ...(onLine && { onLine }),
  });
  const workloads = new URL('../../story/workloads.yaml', import.meta.url);
  await applyManifests(await readFile(workloads, 'utf8'), world.admin);
  return world;
}

/** Three instances with etcd and an API server each. kwok plays the kubelets. */
async function openControllers({ onLine, onProblem, speed }: WorldStoryParts): Promise<OpenWorld> {
  const world = await createStackedWorld({
    size: 3,
    speed,
    timings: quickTimings,
    onProblem,
    ...(onLine && { onLine }),
  });
  return { ...world, etcdCredentials: world.etcd.credentials };
}

/** A group of workers as the sandbox has it: a launch is in service once its node is Ready, and a node is drained before it goes. */
function addWorkers(cloud: Cloud, size: number): void {
  const autoScalingGroupName = 'workers';
  const heartbeatTimeoutSeconds = 300;
  addGroup(cloud, {
    autoScalingGroupName,
    clusterName,
    size: 0,
    hook: { name: hookName, heartbeatTimeoutSeconds },
    settings: { DeletionProtection: 'prevent-force-deletion' },
  });
  const { operations } = cloud.account.autoScaling;
  operations.PutLifecycleHook({
    AutoScalingGroupName: autoScalingGroupName,
    LifecycleHookName: joiningHookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: heartbeatTimeoutSeconds,
    DefaultResult: 'CONTINUE',
  });
  operations.SetDesiredCapacity({ AutoScalingGroupName: autoScalingGroupName, DesiredCapacity: size });
}
