import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cloud, type CloudOptions, type Wiring } from '@drover/cloud-sandbox';
import {
  createRandom,
  createTimeline,
  createVirtualClock,
  type Timeline,
  type VirtualClock,
} from '@drover/cloud-sandbox/simulation';
import { createDroverCloud } from '../cloud/drover-cloud.ts';
import { addGroup, type GroupPlan, publishKubeconfig } from '../cloud/furnish.ts';
import { readDeployment } from '../deployment/read-deployment.ts';
import { clusterName, hookName } from '../names.ts';
import type { LogLine } from './log-line.ts';
import { grantRights, type RbacManifest, rbacManifests } from './rbac.ts';

const root = join(import.meta.dirname, '../..');
const packaged = (file: string): unknown => JSON.parse(readFileSync(join(root, '.serverless', file), 'utf8'));

/** A key of the operator's own: the account's default key would need no rights of KMS. */
export const keyId = 'arn:aws:kms:eu-west-1:123456789012:key/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';
export { clusterName, hookName };

/** A cluster on a simulated account with Drover deployed as packaged, on virtual time. */
export interface DroverWorld extends Cloud {
  readonly clock: VirtualClock;
  readonly timeline: Timeline;
  readonly wiring: Wiring;
  /** What the functions wrote, parsed. */
  readonly lines: readonly LogLine[];
  readonly problems: readonly unknown[];
  /** The names of the functions that ran, one for each invocation. */
  readonly invocations: readonly string[];
}

export interface DroverWorldOptions
  extends Pick<
    CloudOptions,
    | 'weather'
    | 'kubelets'
    | 'timings'
    | 'functions'
    | 'duplicateChance'
    | 'hookChangesReachWaits'
    | 'etcd'
    | 'runtime'
    | 'onPermission'
    | 'requestLimits'
    | 'kubernetes'
  > {
  readonly seed?: number;
  /** What is deployed otherwise than packaged: a queue without its policy, say. */
  readonly editWiring?: (wiring: Wiring) => Wiring;
  /** Likewise of deploy/rbac.yaml. */
  readonly editRbac?: (manifests: readonly RbacManifest[]) => readonly RbacManifest[];
}

const unchanged = <Value>(value: Value): Value => value;

export function createDroverWorld(options: DroverWorldOptions = {}): DroverWorld {
  const { editWiring = unchanged, editRbac = unchanged } = options;
  const clock = createVirtualClock();
  const lines: LogLine[] = [];
  const problems: unknown[] = [];
  const invocations: string[] = [];
  const accountId = '123456789012';
  const region = 'eu-west-1';
  const wiring = editWiring(
    readDeployment({
      template: packaged('cloudformation-template-update-stack.json'),
      state: packaged('serverless-state.json'),
      accountId,
      region,
    }),
  );
  const cloud = createDroverCloud({
    ...options,
    clock,
    random: createRandom(options.seed ?? 1),
    accountId,
    region,
    clusterName,
    wiring,
    onLine: (functionName, line) => lines.push({ functionName, ...(JSON.parse(line) as object) }),
    onProblem: (problem) => problems.push(problem),
    onInvocation: ({ functionName, outcome }) => {
      invocations.push(functionName);
      if (outcome.kind !== 'succeeded') problems.push({ functionName, outcome });
    },
  });
  grantRights(cloud, editRbac(rbacManifests()));
  publishKubeconfig(cloud, {
    parameterName: kubeconfigParameterOf(cloud),
    server: 'https://kubernetes.sandbox',
    certificateAuthority: readFileSync(join(import.meta.dirname, 'tls/certificate.pem'), 'utf8'),
    keyId,
    token: cloud.kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] }),
  });
  cloud.lambda.start();
  return {
    ...cloud,
    wiring,
    clock,
    timeline: createTimeline(clock, cloud.activity),
    lines,
    problems,
    invocations,
  };
}

const kubeconfigParameterOf = (cloud: Cloud): string =>
  cloud.lambda.functionOf('node-leaving').environment.DROVER_KUBECONFIG_PARAMETER ?? '';

/** A group of workers whose nodes are Ready when this resolves. */
export async function withWorkers(
  world: DroverWorld,
  plan: Partial<GroupPlan> & { readonly size: number },
): Promise<readonly string[]> {
  const autoScalingGroupName = plan.autoScalingGroupName ?? 'workers';
  addGroup(world, {
    autoScalingGroupName,
    clusterName,
    hook: { name: hookName, heartbeatTimeoutSeconds: 300 },
    ...plan,
  });
  await world.timeline.until(
    () =>
      membersOf(world, autoScalingGroupName).filter(({ LifecycleState }) => LifecycleState === 'InService')
        .length === plan.size,
    { withinSeconds: 600, what: 'the group in service' },
  );
  await world.timeline.pass(20);
  return membersOf(world, autoScalingGroupName).map(({ InstanceId = '' }) => InstanceId);
}

export const membersOf = ({ account }: DroverWorld, autoScalingGroupName = 'workers') =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [autoScalingGroupName] })
    .AutoScalingGroups[0]?.Instances ?? [];

export const stateOf = ({ account }: DroverWorld, instanceId: string): string | undefined =>
  account.autoScaling.operations.DescribeAutoScalingInstances({ InstanceIds: [instanceId] })
    .AutoScalingInstances[0]?.LifecycleState;

export function terminate({ account }: DroverWorld, instanceId: string, { replace = true } = {}): void {
  account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
    InstanceId: instanceId,
    ShouldDecrementDesiredCapacity: !replace,
  });
}

/** The names of all Nodes. */
export const nodesOf = ({ kubernetes }: DroverWorld): readonly string[] =>
  kubernetes.store
    .of('nodes')
    .list()
    .map(({ metadata }) => metadata?.name ?? '');
