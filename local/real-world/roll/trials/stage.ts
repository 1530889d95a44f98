import { setTimeout as sleep } from 'node:timers/promises';
import { listItems } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { askParameterOf, rollPathsOf } from '../../../../shared/roll/roll.ts';
import { clusterName } from '../../../names.ts';
import { runDroverIn } from '../../terminal.ts';
import { quickTimings } from '../../timings.ts';
import { createRealWorld, type RealWorld } from '../../world.ts';
import { configureRollingNode, openRollingWorld, type RollingWorld } from '../roll-world.ts';

export interface StagePlan {
  /** How many times as fast as this machine's the account's time passes. */
  readonly speed: number;
  readonly workers: number;
  /** How long what holds a roll lasts, in seconds of the account. */
  readonly heldSeconds: number;
  /**
   * From its launch on, a node has so much of the account's time to become Ready, and so have its pods. Default: a minute of this machine, in
   * which the components of a cluster find back to an API server that was away.
   */
  readonly joinTimeoutSeconds?: number;
  readonly say: (text: string) => void;
  readonly onProblem: (problem: unknown) => void;
}

/** A real cluster with one group of workers under load, of which something fails while it is rolled. */
export interface TrialStage extends Pick<StagePlan, 'say'> {
  readonly world: RealWorld;
  readonly rolling: RollingWorld;
  /** Instances that are launched from now on run, and join or never do. */
  readonly setJoins: (joins: boolean) => void;
  /** The names of those that have begun. */
  readonly rolls: Set<string>;
  /** As long as what holds a roll lasts. */
  readonly hold: () => Promise<void>;
  close(): Promise<void>;
}

export const group = 'workers';

/** @throws Error if the cluster does not come up */
export async function openTrialStage(plan: StagePlan): Promise<TrialStage> {
  const { speed, workers, heldSeconds, say, onProblem } = plan;
  const { joinTimeoutSeconds = 60 * speed } = plan;
  let joins = true;
  const world = await createRealWorld({
    nodes: 'kwok',
    speed,
    timings: quickTimings,
    editWiring: (wiring) => ({
      ...wiring,
      functions: wiring.functions.map((one) => ({
        ...one,
        environment: { ...one.environment, DROVER_JOIN_TIMEOUT: `${joinTimeoutSeconds}s` },
      })),
    }),
    configureNode: (instance) => (joins ? configureRollingNode(instance) : undefined),
    onProblem,
  });
  const rolling = await openRollingWorld(world, {
    workers,
    controlPlanes: 0,
    workloads: 2 * workers,
    withEtcd: false,
    onProblem,
  });
  return {
    world,
    rolling,
    say,
    rolls: new Set(),
    setJoins: (wanted) => {
      joins = wanted;
    },
    hold: () => sleep((heldSeconds / speed) * 1000),
    close: async () => {
      await rolling.close();
      await world.close();
    },
  };
}

/** Begins a roll of all workers with `drover roll`. @throws Error with what the command has written if it refuses */
export async function begin({ world, rolls }: TrialStage, name: string): Promise<void> {
  await runDroverIn(world, ['roll', group, '--everything', '--bake', '0s', '--name', name]);
  rolls.add(name);
}

/** @throws Error with what Drover says instead, if the roll is not in this state in time of this machine */
export async function untilState(
  { rolling }: TrialStage,
  name: string,
  state: string,
  withinSeconds = 180,
): Promise<string> {
  try {
    await rolling.until(
      `the roll ${name} to be ${state}`,
      withinSeconds,
      () => rolling.seen(name)?.state === state,
    );
  } catch (error) {
    throw new Error(`the roll ${name}: ${JSON.stringify(rolling.seen(name))}`, { cause: error });
  }
  return rolling.seen(name)?.reason ?? '';
}

export const members = ({ world }: TrialStage) =>
  world.cloud.account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [group] })
    .AutoScalingGroups[0]?.Instances ?? [];

export const idsOf = (stage: TrialStage): readonly string[] =>
  members(stage).map(({ InstanceId = '' }) => InstanceId);

/** The instances that a hook holds on their way out. */
export const leavingIn = (stage: TrialStage): readonly string[] =>
  members(stage)
    .filter(({ LifecycleState = '' }) => LifecycleState.startsWith('Terminating'))
    .map(({ InstanceId = '' }) => InstanceId);

export const untilOneLeaves = ({ rolling, ...stage }: TrialStage): Promise<void> =>
  rolling.until('an instance that leaves', 120, () => leavingIn({ rolling, ...stage }).length > 0);

export const nodesOf = ({ world }: TrialStage): Promise<readonly Node[]> =>
  listItems<Node>(world.admin, '/api/v1/nodes');

/** Whatever a roll writes on a Node, by the names in the documentation. */
const traces = ['drover.dev/old-node', 'drover.dev/rolling', 'drover.dev/kept-empty', 'scale-down-disabled'];

/** The Nodes that have something of a roll or are cordoned, without those of instances that leave. */
export async function tracesOn(stage: TrialStage): Promise<readonly string[]> {
  const leaving = new Set(leavingIn(stage));
  return (await nodesOf(stage))
    .filter(({ spec }) => !leaving.has(spec?.providerID?.split('/').at(-1) ?? ''))
    .filter(({ metadata, spec }) => {
      const text = JSON.stringify([metadata?.annotations, spec?.taints]);
      return spec?.unschedulable === true || traces.some((trace) => text.includes(trace));
    })
    .map(({ metadata }) => metadata?.name ?? '');
}

/** Waits until every Node that stays is as before the roll. @throws Error that names those which are not */
export async function untilClean(stage: TrialStage, name: string): Promise<void> {
  let left: readonly string[] = [];
  try {
    await stage.rolling.until('Nodes without a trace', 60, async () => {
      left = await tracesOn(stage);
      return left.length === 0;
    });
  } catch (error) {
    throw new Error(`the roll ${name} has left something on ${left.join(', ')}`, { cause: error });
  }
}

/** Waits until as many instances serve as the group should have, each with a Node, and none leaves. */
export async function untilWhole(stage: TrialStage): Promise<void> {
  const { rolling, world } = stage;
  const { DesiredCapacity } =
    world.cloud.account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [group] })
      .AutoScalingGroups[0] ?? {};
  await rolling.until('a whole group', 180, async () => {
    const all = members(stage);
    const isWhole =
      all.length === DesiredCapacity && all.every(({ LifecycleState }) => LifecycleState === 'InService');
    return isWhole && (await nodesOf(stage)).length === DesiredCapacity;
  });
}

/** The end of a roll that goes on. @throws Error if an old instance is left, or a Node has something of the roll */
export async function requireDone(stage: TrialStage, name: string, before: readonly string[]): Promise<void> {
  await untilState(stage, name, 'done');
  await untilClean(stage, name);
  require(!idsOf(stage).some((id) => before.includes(id)), 'every old instance is replaced');
}

/** @throws Error with what should be so, and is not */
export function require(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`it is not so that ${what}`);
}

/** Writes what people want of a roll, as its command does, within a millisecond. */
export function want({ world }: TrialStage, name: string, wanted: 'aborted' | 'paused'): void {
  const { ssm, operator } = world.cloud.account;
  const parameter = askParameterOf(rollPathsOf(clusterName), name);
  const ask = JSON.parse(ssm.controls.value(parameter) ?? '{}') as object;
  ssm.operations.PutParameter(
    { Name: parameter, Value: JSON.stringify({ ...ask, wanted }), Type: 'String', Overwrite: true },
    { principal: operator, requestId: 'trial' },
  );
}
