import { eventBridgeClient } from '../aws/clients.ts';
import { EventRefusedError, eventBus } from '../aws/event-bus.ts';
import { isRecent } from '../base/is-recent.ts';
import type { Log } from '../base/log.ts';
import { createMetrics, type Metrics } from '../base/metrics.ts';
import { redact } from '../base/redact.ts';
import { withinTime } from '../base/within-time.ts';
import { youngestOf } from '../base/youngest-of.ts';
import {
  eventOf,
  idOf,
  type Notification,
  type Notify,
  notifyNothing,
  type OutgoingEvent,
} from '../notifications/notification.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { FunctionHost } from './host.ts';

/** A pass waits for EventBridge no longer than this. */
const answerMilliseconds = 2000;
/** After a failure EventBridge is left alone, so that an outage, or a missing VPC endpoint, costs two seconds a minute. */
const quietSeconds = 60;
const mostRemembered = 2000;

export interface NotifierParts {
  readonly clock: FunctionHost['clock'];
  readonly clusterName: string;
  readonly put: (event: OutgoingEvent) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Sends notifications as events on the default bus. This environment of the function sends each occurrence once. What fails, hangs or is
 * denied is logged and counted, and never thrown.
 */
export function createNotifier({ clock, clusterName, put, log, metrics }: NotifierParts): Notify {
  const sent = youngestOf<true>(mostRemembered);
  const failures = failuresOf(clock);
  const rate = rateOf(clock);
  return async (notification) => {
    const id = idOf(clusterName, notification);
    if (sent.get(id)) return 'sent';
    if (failures.areRecent(everyEvent) || failures.areRecent(id)) return 'failed';
    const place = rate.next(notification.kind);
    const event = eventOf(withoutSecrets(notification), { clusterName, now: clock.now(), ...place });
    try {
      await withinTime(clock, answerMilliseconds, put(event));
    } catch (error) {
      rate.undo(notification.kind, place);
      failures.note(error instanceof EventRefusedError && error.isOfThisEvent ? id : everyEvent);
      log.error('a notification could not be sent, and the work goes on', error, { notification: id });
      metrics.put({ NotificationsFailed: 1 });
      return 'failed';
    }
    sent.put(id, true);
    log.info('notification', { notification: id, sentence: event.detail.message });
    metrics.put({ NotificationsSent: 1 });
    return 'sent';
  };
}

/** People get the first event of a kind in a minute. It says how many they did not get since the one before. */
const minuteSeconds = 60;

interface Place {
  readonly repeats: number;
  readonly unseen: number;
}

/** What of a kind is put, in this environment. Programs get each event; a flood of requests must not flood people. */
function rateOf(clock: NotifierParts['clock']) {
  const kinds = new Map<Notification['kind'], { readonly shownAt: number; readonly repeats: number }>();
  return {
    next(kind: Notification['kind']): Place {
      const now = clock.now();
      const { shownAt, repeats } = kinds.get(kind) ?? { shownAt: -Infinity, repeats: 0 };
      const isRepeat = isRecent(shownAt, { now, seconds: minuteSeconds });
      kinds.set(kind, isRepeat ? { shownAt, repeats: repeats + 1 } : { shownAt: now, repeats: 0 });
      return isRepeat ? { repeats: repeats + 1, unseen: 0 } : { repeats: 0, unseen: repeats };
    },
    /** EventBridge did not take it: if people would have got it, they get the next one. */
    undo(kind: Notification['kind'], { repeats, unseen }: Place): void {
      if (repeats === 0) kinds.set(kind, { shownAt: -Infinity, repeats: unseen });
    },
  };
}

const everyEvent = '';

/** When EventBridge failed last: for every event, or for one that it will never take. A clock that was set back ends the silence. */
function failuresOf(clock: NotifierParts['clock']) {
  const failedAt = youngestOf<number>(mostRemembered);
  return {
    note: (of: string): void => failedAt.put(of, clock.now()),
    areRecent: (of: string): boolean =>
      isRecent(failedAt.get(of) ?? -Infinity, { now: clock.now(), seconds: quietSeconds }),
  };
}

/** Before texts are cut: half of a secret fits no pattern. */
const withoutSecrets = (notification: Notification): Notification => redact(notification) as Notification;

/** The notifications of a function on its host. */
export function composeNotifications(host: FunctionHost, log: Log): Notify {
  const { clusterName, notifications } = readConfig(host.environment, ['clusterName', 'notifications']);
  if (notifications === 'off') return notifyNothing;
  return createNotifier({
    clock: host.clock,
    clusterName,
    put: eventBus(eventBridgeClient(awsConnection(host))),
    log,
    metrics: createMetrics(host, clusterName),
  });
}
