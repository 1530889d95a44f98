import { administratorAccess } from './aws/iam/iam.ts';
import { addGroup, type GroupPlan } from './cloud/add-group.ts';
import { type Cloud, type CloudOptions, createCloud } from './cloud/cloud.ts';
import { noWiring } from './cloud/no-wiring.ts';
import { sdkOptions } from './cloud/sdk-options.ts';
import { createFetch, type Fetch } from './kubernetes/api/fetch.ts';
import { createRandom } from './simulation/random.ts';
import { createTimeline, type Timeline } from './simulation/timeline.ts';
import { createVirtualClock, type VirtualClock } from './simulation/virtual-clock.ts';

export interface SandboxOptions extends Partial<Omit<CloudOptions, 'clock' | 'random'>> {
  /** Where chance begins: the same seed and the same calls give the same names, order and faults. */
  readonly seed?: number;
}

/** A cloud on virtual time, with what a test needs to call it and to let time pass. */
export interface Sandbox extends Cloud, Timeline {
  readonly clock: VirtualClock;
  /** Settings for a client of the AWS SDK: `new AutoScaling(sandbox.aws())`. `caller` names it to `weather`. */
  readonly aws: (caller?: string) => ReturnType<typeof sdkOptions>;
  /** An Auto Scaling group with a launch template, and a hook on termination; its instances join the cluster. */
  readonly addGroup: (plan: Omit<GroupPlan, 'clusterName'>) => void;
  /** The API server as a cluster administrator sees it: `sandbox.fetch('/api/v1/nodes')`. */
  readonly fetch: Fetch;
}

export function createSandbox({ seed = 1, ...options }: SandboxOptions = {}): Sandbox {
  const { accountId = '123456789012', region = 'eu-west-1', clusterName = 'sandbox' } = options;
  const clock = createVirtualClock();
  const cloud = createCloud({
    wiring: noWiring({ accountId, region }),
    ...options,
    clusterName,
    accountId,
    region,
    clock,
    random: createRandom(seed),
  });
  const { iam } = cloud.account;
  const { accessKeyId, secretAccessKey } = iam.putUser({ userName: 'test', policies: [administratorAccess] });
  cloud.lambda.start();
  return {
    ...cloud,
    ...createTimeline(clock, cloud.activity),
    clock,
    aws: (caller = 'test') =>
      sdkOptions({
        region,
        credentials: { accessKeyId, secretAccessKey },
        requestHandler: cloud.doors(caller).awsRequestHandler,
      }),
    addGroup: (plan) => addGroup(cloud.account, { ...plan, clusterName }),
    fetch: createFetch(cloud.doors('test').sendHttp, cloud.kubernetes.adminToken),
  };
}
