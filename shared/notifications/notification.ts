/** Each thing that Drover tells people, with the detail-type of its event and how much it matters. */
export const notificationKinds = {
  'node-leaving': { detailType: 'Drover Node Leaving', severity: 'info' },
  'node-gone': { detailType: 'Drover Node Gone', severity: 'info' },
  'drain-held': { detailType: 'Drover Drain Held', severity: 'warning' },
  'drain-forced': { detailType: 'Drover Drain Forced', severity: 'warning' },
  'drain-failed': { detailType: 'Drover Drain Failed', severity: 'warning' },
  'join-failed': { detailType: 'Drover Join Failed', severity: 'warning' },
  'certificate-refused': { detailType: 'Drover Certificate Refused', severity: 'warning' },
  'hold-unmet': { detailType: 'Drover Hold Unmet', severity: 'warning' },
} as const;

export type NotificationKind = keyof typeof notificationKinds;

/** What a program may read besides the sentence. Absent: it does not apply. */
export interface NotificationFacts {
  readonly autoScalingGroupName?: string;
  readonly instanceId?: string;
  readonly nodeName?: string;
  /** Why an instance leaves, as in the mark of its Node. */
  readonly cause?: string;
  /** When the pods that are left are deleted, or when the instance should have joined: ISO 8601 in UTC. */
  readonly deadline?: string;
  /** `namespace/pod (reason)` of held pods, the steps of a join, the check of a certificate request. */
  readonly reasons?: readonly string[];
}

/** One thing that has happened, to be told once. */
export interface Notification {
  readonly kind: NotificationKind;
  /** Names the occurrence: the same for each pass that sees the same thing, and another for the next one. */
  readonly occurrence: string;
  /** A sentence for people. */
  readonly message: string;
  readonly facts: NotificationFacts;
}

/**
 * - `sent`: EventBridge has the event, now or before;
 * - `failed`: it may not have it. A later pass may try again;
 * - `off`: this deployment sends none.
 */
export type NotificationResult = 'sent' | 'failed' | 'off';

/** Sends a notification. It never rejects, and takes a bounded time: no work fails or waits for long because of it. */
export type Notify = (notification: Notification) => Promise<NotificationResult>;

export const notifyNothing: Notify = () => Promise.resolve('off');
