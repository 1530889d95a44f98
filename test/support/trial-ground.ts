import type { CallInFlight, KubeletsOptions, Strike } from '@drover/cloud-sandbox';
import { expect } from 'vitest';
import { trialNamespace } from '../../cli/trial/record.ts';
import { joiningHookName } from '../../local/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, holdParameters } from '../../local/world/holds.ts';

const size = 3;

export interface TrialGroundOptions {
  /** What the operator meets; with `everywhere`, functions and kubelets too. */
  readonly strike?: (call: CallInFlight) => Strike | undefined;
  readonly everywhere?: boolean;
  /** Of the group, whose desired capacity is 3. */
  readonly minSize?: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** How long a call of the operator is on its way, asked when it is sent. The command then has to run in time: `inTime`. */
  readonly latencyMilliseconds?: (call: CallInFlight) => number;
  /** How old what the operator reads of AWS is. */
  readonly staleSeconds?: number;
  /** The group has Drover's launching hook, with this time. */
  readonly joinsWithinSeconds?: number;
  /** Of instances that are launched after `begin`. */
  readonly configure?: KubeletsOptions['configure'];
}

export interface TrialGround {
  readonly world: DroverWorld;
  /** The instances of the group before the trial. */
  readonly ids: readonly string[];
  /** From now on calls meet the faults, until `calm`. */
  readonly begin: () => void;
  readonly calm: () => void;
}

/** A group of three workers on which a trial can be made. */
export async function createTrialGround(options: TrialGroundOptions = {}): Promise<TrialGround> {
  const { strike, everywhere = false, minSize = size, staleSeconds, tags, configure } = options;
  const { latencyMilliseconds } = options;
  let isOn = false;
  const isMet = (call: CallInFlight): boolean => isOn && (everywhere || call.caller === 'operator');
  const world = createDroverWorld({
    weather: {
      strike: (call) => (isMet(call) ? strike?.(call) : undefined),
      ...(latencyMilliseconds && {
        latencyMilliseconds: (call) => (isMet(call) ? latencyMilliseconds(call) : 0),
      }),
      ...(staleSeconds !== undefined && { staleSeconds: (call) => (isMet(call) ? staleSeconds : 0) }),
    },
    ...(configure && { kubelets: { configure: (instance) => (isOn ? configure(instance) : {}) } }),
  });
  const ids = await withWorkers(world, {
    size,
    settings: { MinSize: minSize, MaxSize: 6 },
    ...(tags && { tags }),
  });
  if (options.joinsWithinSeconds !== undefined)
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: joiningHookName,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: options.joinsWithinSeconds,
      DefaultResult: 'ABANDON',
    });
  return { world, ids, begin: () => void (isOn = true), calm: () => void (isOn = false) };
}

/** Runs a command whose calls take time, and lets the time pass. */
export async function inTime<Result>(world: DroverWorld, run: Promise<Result>): Promise<Result> {
  let hasEnded = false;
  const running = run.finally(() => {
    hasEnded = true;
  });
  await world.timeline.until(() => hasEnded, { withinSeconds: 7200, what: 'the end of the command' });
  return await running;
}

export const isWrite = ({ what }: CallInFlight): boolean =>
  /^(?:POST|PATCH|PUT|DELETE) |^ssm (?:Put|Delete)|^autoscaling Terminate/.test(what) &&
  !what.endsWith('/selfsubjectaccessreviews');

/** Whatever a trial meets, the instances that were there before serve on. */
export const expectOthersUntouched = (world: DroverWorld, ids: readonly string[]): void =>
  expect(membersOf(world)).toEqual(
    expect.arrayContaining(
      ids.map((InstanceId) => expect.objectContaining({ InstanceId, LifecycleState: 'InService' })),
    ),
  );

/** The group, the cluster and Parameter Store are as they were before the trial. */
export function expectNothingLeft(world: DroverWorld, ids: readonly string[], minSize = size): void {
  const { store } = world.kubernetes;
  const nodes = store.of('nodes').list();
  expect({
    instances: membersOf(world).map(({ InstanceId, LifecycleState }) => `${InstanceId} ${LifecycleState}`),
    bounds: boundsOf(world),
    holds: holdParameters(world),
    namespaces: store
      .of('namespaces')
      .list()
      .filter(({ metadata }) => metadata.name === trialNamespace),
    changed: nodes.filter(({ spec }) => spec?.unschedulable ?? spec?.taints?.length),
  }).toEqual({
    instances: ids.map((id) => `${id} InService`),
    bounds: expect.objectContaining({ minSize, desiredCapacity: size }),
    holds: [],
    namespaces: [],
    changed: [],
  });
}
