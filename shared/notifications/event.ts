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
      ...namesWithin(rest),
      ...(reasons && { reasons: reasons.slice(0, mostReasons).map((one) => plainLine(one, longestReason)) }),
    },
  };
}

/** Names of AWS and Kubernetes are shorter; one that a stranger made up is not. */
const namesWithin = (names: Omit<NotificationFacts, 'reasons'>): Omit<NotificationFacts, 'reasons'> =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => [field, cut(name.toWellFormed(), longestReason)]),
  );

export const idOf = (clusterName: string, { kind, occurrence }: Pick<Notification, 'kind' | 'occurrence'>) =>
  `${clusterName}/${kind}/${occurrence}`;

/**
 * One line of plain words: no characters that an input transformer or a chat reads as markup, and no @, which mentions people in
 * Mattermost and Rocket.Chat. Names and refusals come from strangers.
 */
function plainLine(text: string, longest: number): string {
  const line = markup.reduce(
    (current, [found, written]) => current.replaceAll(found, written),
    text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '),
  );
  return cut(line, longest);
}

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(halfCharacter, '')}…`;

const markup = [
  ['"', "'"],
  ['`', "'"],
  ['\\', '/'],
  ['<', '('],
  ['>', ')'],
  ['[', '('],
  [']', ')'],
  ['&', '+'],
  ['@', '(at)'],
] as const;

/** The first half of a pair that the cut went through: no receiver could read the JSON. */
const halfCharacter = /[\uD800-\uDBFF]$/;
