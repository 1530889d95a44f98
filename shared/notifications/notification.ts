import { boundedDigest, type DigestDetail } from './digest-detail.ts';
import { cut, plainLine } from './plain-line.ts';

/** Every kind of notification, with the detail-type of its event and its severity. */
export const notificationKinds = {
  'node-leaving': { detailType: 'Drover Node Leaving', severity: 'info' },
  'node-gone': { detailType: 'Drover Node Gone', severity: 'info' },
  'drain-held': { detailType: 'Drover Drain Held', severity: 'warning' },
  'drain-forced': { detailType: 'Drover Drain Forced', severity: 'warning' },
  'drain-failed': { detailType: 'Drover Drain Failed', severity: 'warning' },
  'join-failed': { detailType: 'Drover Join Failed', severity: 'warning' },
  'certificate-refused': { detailType: 'Drover Certificate Refused', severity: 'warning' },
  'hold-unmet': { detailType: 'Drover Hold Unmet', severity: 'warning' },
  'roll-began': { detailType: 'Drover Roll Began', severity: 'info' },
  'roll-canary': { detailType: 'Drover Roll Canary', severity: 'info' },
  'roll-held': { detailType: 'Drover Roll Held', severity: 'warning' },
  'roll-stopped': { detailType: 'Drover Roll Stopped', severity: 'warning' },
  'roll-done': { detailType: 'Drover Roll Done', severity: 'info' },
  problems: { detailType: 'Drover Problems', severity: 'warning' },
} as const;

export type NotificationKind = keyof typeof notificationKinds;

/** What programs may read besides the message. A field is absent if it does not apply. */
export interface NotificationFacts {
  readonly autoScalingGroupName?: string;
  readonly instanceId?: string;
  readonly nodeName?: string;
  /** The name of a roll. */
  readonly roll?: string;
  /** Why the instance leaves, as in the mark of its Node. */
  readonly cause?: string;
  /** When the pods that are left are deleted, or when the instance should have joined: ISO 8601 in UTC. */
  readonly deadline?: string;
  /** `namespace/pod (reason)` of held pods, the steps of a join, the check of a certificate request. */
  readonly reasons?: readonly string[];
}

/** One occurrence, of which people are notified once. */
export interface Notification {
  readonly kind: NotificationKind;
  /** Identifies the occurrence: the same in each pass that sees it, and different for the next occurrence. */
  readonly occurrence: string;
  /** A sentence for people. */
  readonly message: string;
  readonly facts: NotificationFacts;
  /** Only of the kind `problems`. */
  readonly digest?: DigestDetail;
}

/**
 * - `sent`: EventBridge has the event, now or from an earlier pass;
 * - `failed`: EventBridge may not have the event. A later pass may try again;
 * - `off`: this deployment sends no notifications.
 */
export type NotificationResult = 'sent' | 'failed' | 'off';

/** Sends a notification. It never rejects and its time is bounded, so no pass fails or waits for long because of it. */
export type Notify = (notification: Notification) => Promise<NotificationResult>;

export const notifyNothing: Notify = () => Promise.resolve('off');

/** The `source` of Drover's own events. */
export const eventSource = 'drover';

/** Receivers may rely on the fields of a version: Drover adds fields to it, but other changes get a new number. */
export const detailVersion = 1;

/** The `detail` of an event, as docs/notifications.md describes it. */
export interface NotificationDetail extends NotificationFacts, Partial<DigestDetail> {
  readonly version: typeof detailVersion;
  /** The same in each event about the same occurrence. */
  readonly id: string;
  readonly cluster: string;
  readonly kind: Notification['kind'];
  readonly severity: (typeof notificationKinds)[Notification['kind']]['severity'];
  readonly message: string;
  /** How many events of the kind came before this one within a minute. Receivers for people get only events without it. */
  readonly repeats?: number;
}

/** An event for PutEvents. */
export interface OutgoingEvent {
  readonly source: string;
  readonly detailType: string;
  readonly time: Date;
  readonly detail: NotificationDetail;
}

const longestMessage = 1000;
const longestReason = 300;
const mostReasons = 10;

export interface EventContext {
  readonly clusterName: string;
  readonly now: number;
  /** How many events of the kind this environment has put within the minute; 0 for one that people get. */
  readonly repeats?: number;
  /** How many events of the kind people did not get since the last one that they got. */
  readonly unseen?: number;
}

/** The event of a notification. Its texts are bounded, because they become an e-mail and a line of a chat. */
export function eventOf(
  { kind, occurrence, message, facts, digest }: Notification,
  { clusterName, now, repeats = 0, unseen = 0 }: EventContext,
): OutgoingEvent {
  const { detailType, severity } = notificationKinds[kind];
  const { reasons, ...rest } = facts;
  const suffix = unseen === 0 ? '' : ` (and ${unseen} more of this kind before it)`;
  return {
    source: eventSource,
    detailType,
    time: new Date(now),
    detail: {
      version: detailVersion,
      id: idOf(clusterName, { kind, occurrence }),
      cluster: clusterName,
      kind,
      severity,
      message: `${plainLine(`${clusterName}: ${message}`, longestMessage - suffix.length)}${suffix}`,
      ...(repeats > 0 && { repeats }),
      ...namesWithin(rest),
      ...(reasons && { reasons: reasons.slice(0, mostReasons).map((one) => plainLine(one, longestReason)) }),
      ...(digest && boundedDigest(digest)),
    },
  };
}

/** Names of AWS and Kubernetes are shorter, but a name in a certificate request may be anything. */
const namesWithin = (names: Omit<NotificationFacts, 'reasons'>): Omit<NotificationFacts, 'reasons'> =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => [field, cut(name.toWellFormed(), longestReason)]),
  );

export const idOf = (clusterName: string, { kind, occurrence }: Pick<Notification, 'kind' | 'occurrence'>) =>
  `${clusterName}/${kind}/${occurrence}`;
