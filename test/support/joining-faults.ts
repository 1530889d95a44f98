import { type CallInFlight, isWrite, type Strike, type Weather } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { deniedByWebhook, etcdTimedOut, forbiddenByRbac } from '@drover/cloud-sandbox/kubernetes';
import { createRandom, type Random } from '@drover/cloud-sandbox/simulation';
import { type DroverWorld, membersOf } from '../../local/world/drover-world.ts';
import { inService, launchWorkers, startJoiningWorld } from './joining-world.ts';
import { passesOf } from './observed-instance.ts';

/** What Drover's functions meet while nodes join. */
interface JoiningFault {
  readonly name: string;
  readonly strike?: (call: CallInFlight, dice: Random, now: number) => Strike | undefined;
  readonly staleSeconds?: NonNullable<Weather['staleSeconds']>;
  /** Each event and each message of SQS may come twice. */
  readonly isDuplicated?: boolean;
  /** Two runs of certificate-requests start together, every 20 s. */
  readonly runsTwice?: boolean;
  /** The kubelets become Ready so late that each instance is past its deadline in between. */
  readonly isSlowToBeReady?: boolean;
}

const refused = (code: string, statusCode: number): Strike => ({
  kind: 'aws-error',
  error: new AwsError({ code, message: code, statusCode }),
});

const onAws =
  (pattern: RegExp, strike: Strike) =>
  ({ to, what }: CallInFlight): Strike | undefined =>
    to === 'aws' && pattern.test(what) ? strike : undefined;

const onKubernetes =
  (applies: (call: CallInFlight) => boolean, strike: (call: CallInFlight) => Strike) =>
  (call: CallInFlight): Strike | undefined =>
    call.to === 'kubernetes' && applies(call) ? strike(call) : undefined;

const isApproval = ({ what }: CallInFlight): boolean => /^(?:PUT|PATCH) .*\/approval/.test(what);
const isNodePatch = ({ what }: CallInFlight): boolean => /^PATCH .*\/nodes\//.test(what);
const always = (): boolean => true;
const failsBefore = (): Strike => ({ kind: 'fail-before' });
const hangs = (): Strike => ({ kind: 'hang-before' });
const forbidden = ({ what }: CallInFlight): Strike => forbiddenByRbac({ what, username: 'drover' });
const byWebhook = (): Strike => deniedByWebhook({ webhook: 'policy.example.com', why: 'not on Sundays' });
const internalError = (): Strike => ({
  kind: 'http-answer',
  status: 500,
  body: '{"kind":"Status","code":500}',
});
const denied = refused('AccessDenied', 403);

export const joiningFaults: readonly JoiningFault[] = [
  { name: 'the API server is away', strike: onKubernetes(always, failsBefore) },
  { name: 'the API server hangs', strike: onKubernetes(always, hangs) },
  { name: 'the API server answers reads, and writes fail', strike: onKubernetes(isWrite, etcdTimedOut) },
  { name: 'the API server answers 500', strike: onKubernetes(always, internalError) },
  { name: 'RBAC denies approvals', strike: onKubernetes(isApproval, forbidden) },
  { name: 'a webhook denies approvals', strike: onKubernetes(isApproval, byWebhook) },
  { name: 'patches of Nodes are denied', strike: onKubernetes(isNodePatch, forbidden) },
  {
    name: 'lists of the API server are five minutes behind',
    staleSeconds: ({ to }) => (to === 'kubernetes' ? 300 : 0),
  },
  {
    name: 'Auto Scaling and EC2 throttle',
    strike: onAws(/^(?:autoscaling|ec2) /, refused('Throttling', 400)),
  },
  { name: 'AWS does not answer', strike: onAws(/^(?:autoscaling|ec2) /, { kind: 'hang-before' }) },
  {
    name: 'Auto Scaling and EC2 are a minute behind',
    staleSeconds: ({ to }) => (to === 'aws' ? 60 : 0),
  },
  { name: 'CompleteLifecycleAction is denied', strike: onAws(/CompleteLifecycleAction/, denied) },
  {
    name: 'RecordLifecycleActionHeartbeat is denied',
    strike: onAws(/RecordLifecycleActionHeartbeat/, denied),
  },
  { name: 'GetConsoleOutput is denied', strike: onAws(/GetConsoleOutput/, denied), isSlowToBeReady: true },
  {
    name: 'GetConsoleOutput hangs',
    strike: onAws(/GetConsoleOutput/, { kind: 'hang-before' }),
    isSlowToBeReady: true,
  },
  { name: 'events and messages come twice', isDuplicated: true },
  { name: 'two runs of certificate-requests start at once', runsTwice: true },
  {
    name: 'functions are killed after a tenth of all calls',
    strike: (_call, dice) => (dice.next() < 0.1 ? { kind: 'kill-after' } : undefined),
  },
];

/** One pass of node-joining is killed, and the next only this long after it: messages are back by then. */
export function killsEvery(seconds: number): JoiningFault {
  let last = -Infinity;
  return {
    name: `a pass is killed every ${seconds} s`,
    strike: ({ caller }, dice, now) => {
      if (caller !== 'node-joining' || now - last < seconds * 1000 || dice.next() > 0.1) return undefined;
      last = now;
      return { kind: 'kill-after' };
    },
  };
}

/** @throws Error if there is no fault of this name. */
export function joiningFaultNamed(name: string): JoiningFault {
  const found = joiningFaults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault of joining: ${name}`);
  return found;
}

/** Two faults at the same time. */
export function bothFaults(one: JoiningFault, other: JoiningFault): JoiningFault {
  const both = [one, other];
  const strikes = both.flatMap(({ strike }) => strike ?? []);
  const delays = both.flatMap(({ staleSeconds }) => staleSeconds ?? []);
  return {
    ...one,
    ...other,
    name: `${one.name}, and ${other.name}`,
    ...(strikes.length > 0 && {
      strike: (call, dice, now) => firstOf(strikes.map((strike) => () => strike(call, dice, now))),
    }),
    ...(delays.length > 0 && {
      staleSeconds: (call) => delays.reduce((sum, delay) => sum + delay(call), 0),
    }),
  };
}

function firstOf<Value>(tries: readonly (() => Value | undefined)[]): Value | undefined {
  for (const one of tries) {
    const value = one();
    if (value !== undefined) return value;
  }
  return undefined;
}

interface JoinsThroughFault {
  /** The ids of the instances that were launched, and of those that are in service. */
  readonly launched: ReadonlySet<string | undefined>;
  readonly served: ReadonlySet<string>;
  /** All instances that were ever launched, including those that have been replaced. */
  readonly ever: ReadonlySet<string>;
  /** The reason of the last pass over an instance; empty if it has none. */
  readonly lastWords: (instanceId: string) => string;
  /** For each request the seconds from its creation, or from the end of the fault if that was later, to its approval. */
  readonly decidedAfterSeconds: readonly number[];
  /** What became of the requests. */
  readonly verdicts: readonly (string | undefined)[];
  /** From the end of the fault until every instance was in service. */
  readonly servedAfterSeconds: number;
  /** How many calls the fault met. */
  readonly strikes: number;
}

const requestsResource = 'certificatesigningrequests.certificates.k8s.io';

/** So many instances are launched in that second of the fault; a negative one is before it. */
interface Wave {
  readonly atSecond: number;
  readonly count: number;
}

interface JoinTerms {
  /** Defaults to a timeout that is longer than ten minutes without any heartbeat. */
  readonly heartbeatTimeoutSeconds?: number;
  readonly faultSeconds?: number;
  /** How long the group has been there, without instances, at the first launch; absent: it is made with the first instances. */
  readonly groupAgeSeconds?: number;
}

/** Instances are launched in waves, the first with the group, while a fault begins and lasts, for ten minutes mostly. */
export async function joinThrough(
  fault: JoiningFault,
  waves: readonly [Wave, ...Wave[]],
  { heartbeatTimeoutSeconds = 1800, faultSeconds = 600, groupAgeSeconds = 0 }: JoinTerms = {},
): Promise<JoinsThroughFault> {
  const dice = createRandom(7);
  let isOn = false;
  let strikes = 0;
  const { strike, staleSeconds, isDuplicated = false, isSlowToBeReady = false } = fault;
  const world = await startJoiningWorld({
    weather: {
      strike: (call) => {
        const struck = isOn ? strike?.(call, dice, world.clock.now()) : undefined;
        if (struck) strikes += 1;
        return struck;
      },
      ...(staleSeconds && { staleSeconds: (call) => (isOn ? staleSeconds(call) : 0) }),
    },
    ...(isDuplicated && { duplicateChance: 0.5 }),
    ...(isSlowToBeReady && { kubelets: { configure: () => ({ readyDelaySeconds: 500 }) } }),
  });
  const size = waves.reduce((sum, { count }) => sum + count, 0);
  const [first, ...later] = waves;
  launchWorkers(world, groupAgeSeconds === 0 ? first.count : 0, {
    heartbeatTimeoutSeconds,
    settings: { MaxSize: size },
    tags: {
      'drover.dev/apply-node-template': 'true',
      'k8s.io/cluster-autoscaler/node-template/label/pool': 'workers',
      ...(isSlowToBeReady && { 'drover.dev/join-timeout': '2m' }),
    },
  });
  if (groupAgeSeconds > 0) {
    await world.timeline.pass(groupAgeSeconds);
    launchMore(world, first.count);
  }
  const startedAt = world.clock.now() - Math.min(0, first.atSecond) * 1000;
  for (const { atSecond, count } of later)
    world.clock.after(startedAt + atSecond * 1000 - world.clock.now(), () => launchMore(world, count));
  await world.timeline.pass((startedAt - world.clock.now()) / 1000);
  isOn = true;
  if (isDuplicated) world.account.events.disturb({ duplicated: 0.5 });
  await last(world, fault, faultSeconds);
  isOn = false;
  world.account.events.disturb({});
  const endedAt = world.clock.now();
  const launched = new Set(membersOf(world).map(({ InstanceId }) => InstanceId));
  await world.timeline.until(() => inService(world).length === size, {
    withinSeconds: 1800,
    what: `${size} instances in service after ${fault.name}`,
  });
  const servedAfterSeconds = (world.clock.now() - endedAt) / 1000;
  await world.timeline.pass(65);
  return {
    launched,
    served: new Set(inService(world)),
    ever: everLaunched(world),
    lastWords: (instanceId) =>
      passesOf(world, instanceId)
        .map(({ reason }) => String(reason))
        .at(-1) ?? '',
    servedAfterSeconds,
    strikes,
    ...decisionsIn(world, endedAt),
  };
}

const everLaunched = ({ account }: DroverWorld): ReadonlySet<string> =>
  new Set(
    (account.ec2.operations.DescribeInstances({}).Reservations ?? []).flatMap(({ Instances = [] }) =>
      Instances.flatMap(({ InstanceId }) => InstanceId ?? []),
    ),
  );

function launchMore({ account }: DroverWorld, count: number): void {
  const { operations } = account.autoScaling;
  const [{ DesiredCapacity: before = 0 } = {}] = operations.DescribeAutoScalingGroups({}).AutoScalingGroups;
  const DesiredCapacity = before + count;
  operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity });
}

function decisionsIn(world: DroverWorld, faultEndedAt: number) {
  const requests = world.kubernetes.store.of(requestsResource).list();
  return {
    verdicts: requests.map(({ status }) => status?.conditions?.[0]?.reason),
    decidedAfterSeconds: requests.map(({ metadata, status }) => {
      const since = Math.max(faultEndedAt, Date.parse(metadata.creationTimestamp ?? ''));
      return (Date.parse(status?.conditions?.[0]?.lastUpdateTime ?? '') - since) / 1000;
    }),
  };
}

async function last(
  world: DroverWorld,
  { runsTwice = false }: JoiningFault,
  faultSeconds: number,
): Promise<void> {
  const runs: Promise<unknown>[] = [];
  for (let seconds = 0; seconds < faultSeconds; seconds += 20) {
    if (runsTwice)
      runs.push(
        world.lambda.invoke('certificate-requests', {}),
        world.lambda.invoke('certificate-requests', {}),
      );
    await world.timeline.pass(20);
  }
  await Promise.allSettled(runs);
}
