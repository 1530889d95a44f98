import type { VirtualClock } from '@drover/cloud-sandbox/simulation';
import type { TimerClock } from '../../../shared/base/clock.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { type Bounds, GroupsError } from '../../../shared/capacity/groups.ts';
import { type HoldContext, HoldParametersError } from '../../../shared/capacity/holds/context.ts';
import { newestReading, readCapacityMessage } from '../../../shared/capacity/holds/message.ts';
import { capacityPass } from '../../../shared/capacity/holds/pass.ts';
import { createScanSilence, type ScanReport, scanHolds } from '../../../shared/capacity/holds/scan-holds.ts';
import type { ScheduleRecord } from '../../../shared/capacity/schedules/schedule.ts';
import { notifyNothing } from '../../../shared/notifications/notification.ts';
import { backoffSeconds, waitSeconds } from '../../../shared/passes/outcome.ts';
import type { SendBatch } from '../../../shared/passes/queue.ts';
import type { Dice } from '../lifetimes/plan/dice.ts';
import type { AutoScaling } from './auto-scaling.ts';
import type { Cluster } from './cluster.ts';
import { type ParameterStore, paths } from './parameters.ts';
import { readerOf } from './plan-cluster.ts';
import type { Service, Weather } from './weather.ts';

/** The timeout of the function, and after how long SQS delivers the message of a lost pass again: six times that. */
const timeoutSeconds = 20;
const visibilitySeconds = 120;
/** The handler answers before the timeout. */
const passSeconds = 18;
export const maxSizeLimit = 20;

interface PrewarmParts {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly autoScaling: AutoScaling;
  readonly cluster: Cluster;
  readonly store: ParameterStore;
  readonly schedules: () => readonly ScheduleRecord[];
  /** Called before a pass sets bounds. */
  readonly onSetBounds: (group: string, bounds: Partial<Bounds>) => void;
  /** Called with the outcome of each pass. */
  readonly onPass: (line: string) => void;
  readonly sabotage?: Sabotage | undefined;
}

/** Bugs in prewarm: in the messages of a scan, or in what its passes call. */
export interface Sabotage {
  readonly message?: (body: string) => string;
  readonly context?: (context: HoldContext) => HoldContext;
}

/** The result of the last run that ended. */
export type LastScan =
  | { readonly at: number; readonly kind: 'ended'; readonly report: ScanReport }
  | { readonly at: number; readonly kind: 'failed'; readonly why: string };

interface Message {
  readonly body: string;
  receives: number;
}

/** The real scan and the real passes of prewarm, with a FIFO queue between them. */
export type Prewarm = ReturnType<typeof createPrewarm>;

export function createPrewarm(parts: PrewarmParts) {
  const {
    clock,
    dice,
    weather,
    autoScaling,
    cluster,
    store,
    schedules,
    onSetBounds,
    onPass,
    sabotage = {},
  } = parts;
  const silence = createScanSilence();
  const queues = new Map<string, { waiting: Message[]; isBusy: boolean }>();
  const sentBefore: { readonly groupId: string; readonly body: string }[] = [];
  let last: LastScan | undefined;
  let passes = 0;
  const unexpected: string[] = [];
  /** Errors other than those that faults cause are bugs. */
  const note = (error: unknown): void => {
    if (!isOfFault(error))
      unexpected.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };

  /** The clock of the machine that runs prewarm may be wrong. */
  const machineClock: TimerClock = {
    now: () => weather.now(),
    after: (milliseconds, task) => clock.after(milliseconds, task),
  };

  /** Runs work with calls of its own until it ends, is killed, or its time is up. */
  async function invoke<Result>(
    seconds: number,
    work: (context: HoldContext & { readonly call: Call }) => Promise<Result>,
  ): Promise<Result | 'killed' | 'late'> {
    let isAlive = true;
    return await new Promise((resolve, reject) => {
      const end = (how: 'killed' | 'late'): void => {
        isAlive = false;
        resolve(how);
      };
      const timer = clock.after(seconds * 1000, () => end('late'));
      const state = { isAlive: () => isAlive, kill: () => end('killed') };
      const call: Call = async (service, effect) => await weather.call(state, service, effect);
      void work({ ...contextOf(call), call })
        .then(resolve, reject)
        .finally(() => {
          timer.cancel();
        });
    });
  }

  function contextOf(call: Call): HoldContext {
    const { effects } = store;
    const stale = weather.staleSeconds;
    return {
      clock: machineClock,
      clusterName: 'drover',
      notify: notifyNothing,
      maxSizeLimit,
      paths,
      parameters: {
        listBelow: async (path) => await call('ssm', () => effects.listBelow(path, stale())),
        read: async (name) => await call('ssm', () => effects.read(name, stale())),
        create: async (name, text) => await call('ssm', () => effects.create(name, text)),
        write: async (name, text) => await call('ssm', () => effects.write(name, text)),
        remove: async (name) => await call('ssm', () => effects.remove(name)),
      },
      groups: {
        listGroups: async () => await call('autoscaling', () => autoScaling.seen(stale())),
        describeGroup: async (name) =>
          await call('autoscaling', () =>
            autoScaling.seen(stale()).find(({ autoScalingGroupName }) => autoScalingGroupName === name),
          ),
        setBounds: async ({ autoScalingGroupName }, bounds) =>
          await call('autoscaling', () => {
            onSetBounds(autoScalingGroupName, bounds);
            autoScaling.update(autoScalingGroupName, bounds);
          }),
      },
    };
  }

  async function scan(): Promise<void> {
    const at = clock.now();
    try {
      const report = await invoke(timeoutSeconds, async ({ call, ...context }) => {
        const send: SendBatch = async (messages) => {
          await call('sqs', () => {
            for (const { body, groupId = '' } of messages) put(groupId, sabotage.message?.(body) ?? body);
          });
          return [];
        };
        return await scanHolds({
          ...context,
          clock: machineClock,
          send,
          sendGivingBack: async () => [],
          schedules: {
            readSchedules: async () =>
              await call('scheduler', () => ({ records: schedules(), failures: [] })),
            readLaunches: async (name) => await call('autoscaling', () => autoScaling.launches(name)),
          },
          readReasons: async () => await call('autoscaling', () => []),
          silence,
          pods: weather.has('pod-holds-off')
            ? undefined
            : readerOf(cluster, async (read) => await call('kubernetes', read)),
        });
      });
      last = typeof report === 'string' ? { at, kind: 'failed', why: report } : { at, kind: 'ended', report };
    } catch (error) {
      note(error);
      last = { at, kind: 'failed', why: messageOf(error) };
    }
  }

  function put(groupId: string, body: string): void {
    const queue = queues.get(groupId) ?? { waiting: [], isBusy: false };
    queues.set(groupId, queue);
    queue.waiting.push({ body, receives: 0 });
    sentBefore.push({ groupId, body });
    if (sentBefore.length > 10) sentBefore.shift();
    if (!queue.isBusy) clock.after(dice.integer(10, 500), () => void deliver(groupId));
  }

  /** One pass for all messages of a group that wait. Meanwhile, and while they are hidden, no other begins. */
  async function deliver(groupId: string): Promise<void> {
    const queue = queues.get(groupId);
    if (queue === undefined || queue.isBusy || queue.waiting.length === 0) return;
    queue.isBusy = true;
    const batch = queue.waiting.slice(0, 10);
    for (const message of batch) message.receives += 1;
    const hiddenSeconds = await passOver(batch);
    if (hiddenSeconds === undefined) queue.waiting = queue.waiting.filter((one) => !batch.includes(one));
    clock.after((hiddenSeconds ?? 0) * 1000 + 50, () => {
      queue.isBusy = false;
      void deliver(groupId);
    });
  }

  /** After how many seconds the messages come again; undefined if they are done. */
  async function passOver(batch: readonly Message[]): Promise<number | undefined> {
    const notices = batch.flatMap(({ body }) => {
      const read = readCapacityMessage(body);
      if (read.kind !== 'message') throw new Error(`the pass cannot read its message: ${body}`);
      return [read.message.notice];
    });
    const group = notices[0]?.autoScalingGroupName ?? '';
    passes += 1;
    const again = backoffSeconds(Math.max(...batch.map(({ receives }) => receives)), dice.next());
    try {
      const outcome = await invoke(
        passSeconds,
        async (context) =>
          await capacityPass(
            { ...(sabotage.context?.(context) ?? context), clock: machineClock },
            group,
            newestReading(notices),
          ),
      );
      onPass(`${group}: ${typeof outcome === 'string' ? outcome : outcome.reason}`);
      if (outcome === 'killed') return visibilitySeconds;
      if (outcome === 'late') return again;
      return outcome.status === 'done' ? undefined : waitSeconds(outcome);
    } catch (error) {
      onPass(`${group}: ${messageOf(error)}`);
      note(error);
      return again;
    }
  }

  return {
    scan,
    /** SQS delivers an old message once more. */
    repeatMessage: (): void => {
      const old = sentBefore[0];
      if (old) put(old.groupId, old.body);
    },
    last: (): LastScan | undefined => last,
    passes: (): number => passes,
    unexpected: (): readonly string[] => unexpected,
    isQuiet: (): boolean =>
      [...queues.values()].every(({ waiting, isBusy }) => !isBusy && waiting.length === 0),
  };
}

const isOfFault = (error: unknown): boolean =>
  error instanceof GroupsError ||
  error instanceof HoldParametersError ||
  (error instanceof AggregateError && error.errors.every(isOfFault));

type Call = <Answer>(service: Service, effect: () => Answer) => Promise<Answer>;
