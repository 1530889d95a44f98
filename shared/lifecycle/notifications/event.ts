import { type Notification, type NotificationFacts, notificationKinds } from './notification.ts';

/** The `source` of Drover's own events. */
export const eventSource = 'drover';

/** Receivers may count on what a version has: a later one only adds to it, or has another number. */
export const detailVersion = 1;

/** The `detail` of an event, as docs/notifications.md describes it. */
export interface NotificationDetail extends NotificationFacts {
  readonly version: typeof detailVersion;
  /** The same for each event about the same occurrence. */
  readonly id: string;
  readonly cluster: string;
  readonly kind: Notification['kind'];
  readonly severity: (typeof notificationKinds)[Notification['kind']]['severity'];
  readonly message: string;
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

/** The event of a notification, within bounds: its message becomes an e-mail and a line of a chat. Pure. */
export function eventOf(
  { kind, occurrence, message, facts }: Notification,
  { clusterName, now }: { readonly clusterName: string; readonly now: number },
): OutgoingEvent {
  const { detailType, severity } = notificationKinds[kind];
  const { reasons, ...rest } = facts;
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
      message: plainLine(`${clusterName}: ${message}`, longestMessage),
      ...rest,
      ...(reasons && { reasons: reasons.slice(0, mostReasons).map((one) => plainLine(one, longestReason)) }),
    },
  };
}

export const idOf = (clusterName: string, { kind, occurrence }: Pick<Notification, 'kind' | 'occurrence'>) =>
  `${clusterName}/${kind}/${occurrence}`;

/** One line without quotes, backslashes and angle brackets, which input transformers and chats read as markup. */
function plainLine(text: string, longest: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll('<', '(')
    .replaceAll('>', ')')
    .replaceAll('&', '+');
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
