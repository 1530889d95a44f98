import {
  type AutoScalingClient,
  CompleteLifecycleActionCommand,
  DescribeAutoScalingGroupsCommand,
  RecordLifecycleActionHeartbeatCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { hasCode, isThrottled, refusalOf } from '../../../shared/aws/errors.ts';
import { type Measured, measureBucket, type Probe, type Verdict } from './bucket.ts';

/** The operations whose rate decides how many nodes Drover can wait for. */
export const operations = [
  'DescribeAutoScalingGroups',
  'CompleteLifecycleAction',
  'RecordLifecycleActionHeartbeat',
  'TerminateInstanceInAutoScalingGroup',
] as const;

export type MeasuredOperation = (typeof operations)[number];

/** The bucket of one operation. */
export interface Rate extends Measured {
  readonly operation: MeasuredOperation;
  /** Operations that were refused while this bucket was empty: they share it. */
  readonly sharedWith: readonly MeasuredOperation[];
}

/** Something else in the region would take tokens, and lose its calls to the measurement. */
export class RegionInUseError extends Error {
  override readonly name = 'RegionInUseError';
}

export interface RatesHost extends Pick<Probe, 'now' | 'wait' | 'signal'> {
  /** Must not repeat what is refused: a client that does hides the bucket behind its own. */
  readonly client: AutoScalingClient;
  readonly onMeasured?: (rate: Rate) => void;
}

/** They do not exist: AWS refuses the change after it has counted the call, and nothing happens to any instance. */
const nothing = { AutoScalingGroupName: 'drover-account-none', InstanceId: 'i-00000000000000000' };

const sends: Readonly<Record<MeasuredOperation, (client: AutoScalingClient) => Promise<unknown>>> = {
  DescribeAutoScalingGroups: (client) =>
    client.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [nothing.AutoScalingGroupName] }),
    ),
  CompleteLifecycleAction: (client) =>
    client.send(
      new CompleteLifecycleActionCommand({
        ...nothing,
        LifecycleHookName: 'none',
        LifecycleActionResult: 'CONTINUE',
      }),
    ),
  RecordLifecycleActionHeartbeat: (client) =>
    client.send(new RecordLifecycleActionHeartbeatCommand({ ...nothing, LifecycleHookName: 'none' })),
  TerminateInstanceInAutoScalingGroup: (client) =>
    client.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: nothing.InstanceId,
        ShouldDecrementDesiredCapacity: false,
      }),
    ),
};

/** A measurement takes minutes: one broken connection must not end it. */
const attempts = 4;
/** Short: a bucket fills meanwhile. */
const secondsBetweenAttempts = 0.1;

/** The call, and again if the connection broke or the service failed. A refusal is an answer. */
async function answered<Answer>(send: () => Promise<Answer>, wait: Probe['wait']): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await send();
    } catch (error) {
      if (attempt === attempts || refusalOf(error) !== 'unavailable') throw error;
      await wait(secondsBetweenAttempts);
    }
}

type Call = (operation: MeasuredOperation) => Promise<Verdict>;

/** @throws all but a refusal for the rate and the refusal of what does not exist. */
async function verdictOf(call: Promise<unknown>): Promise<Verdict> {
  try {
    await call;
    return 'accepted';
  } catch (error) {
    if (isThrottled(error)) return 'refused';
    if (hasCode(error, 'ValidationError')) return 'accepted';
    throw error;
  }
}

/**
 * Measures one bucket after the other, in a region without groups.
 *
 * @throws RegionInUseError if the region has a group: nothing was measured
 * @throws what AWS answers other than refusals, or the last of some failures without an answer, and the reason of the signal
 */
export async function measureRates({ client, onMeasured, ...host }: RatesHost): Promise<readonly Rate[]> {
  const { wait } = host;
  const look = () => client.send(new DescribeAutoScalingGroupsCommand({}));
  const { AutoScalingGroups = [] } = await answered(look, wait);
  const [inUse] = AutoScalingGroups;
  if (inUse !== undefined)
    throw new RegionInUseError(
      `the region has the Auto Scaling group ${inUse.AutoScalingGroupName}: the limits are those of the account, so its calls would be refused`,
    );
  const call: Call = (operation) => verdictOf(answered(() => sends[operation](client), wait));
  const rates: Rate[] = [];
  for (const operation of operations) {
    const measured = await measureBucket({ ...host, call: () => call(operation) });
    const rate = {
      operation,
      ...measured,
      sharedWith: measured.refused === 0 ? [] : await sharing(call, operation),
    };
    rates.push(rate);
    onMeasured?.(rate);
  }
  return rates;
}

/** Empties the bucket of an operation, and then calls each other one, which is refused only if the bucket is its own, too. */
async function sharing(call: Call, operation: MeasuredOperation): Promise<readonly MeasuredOperation[]> {
  const shared: MeasuredOperation[] = [];
  for (const other of operations) {
    if (other === operation) continue;
    if (await isRefusedWith(call, operation, other)) shared.push(other);
  }
  return shared;
}

/** Once is not enough: a token may come back between the two calls. */
const tries = 5;

async function isRefusedWith(
  call: Call,
  operation: MeasuredOperation,
  other: MeasuredOperation,
): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (!(await empty(call, operation))) return false;
    if ((await call(other)) === 'refused') return true;
  }
  return false;
}

const mostToEmpty = 40;

/** Calls until a call is refused. False if none is: then it has no bucket that could be shared. */
async function empty(call: Call, operation: MeasuredOperation): Promise<boolean> {
  for (let calls = 0; calls < mostToEmpty; calls += 1) if ((await call(operation)) === 'refused') return true;
  return false;
}
