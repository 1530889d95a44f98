import type { Notification } from '../notifications/notification.ts';
import type { Digest, ListedProblem } from './digest.ts';

/** Named in the message; the event has all. */
const mostNamed = 5;

/** The notification of a digest. Pure. */
export const notificationOf = (occurrence: string, digest: Digest): Notification => ({
  kind: 'problems',
  occurrence,
  message: messageOf(digest),
  facts: {},
  digest: {
    problems: digest.listed.map(({ problem, change, begins }) => ({
      ...problem,
      ...(change && { change }),
      ...(begins > 1 && { begins }),
    })),
    ended: digest.ended,
    away: digest.away,
    unread: digest.unread,
    notLookedAt: digest.notLookedAt,
  },
});

/** `2 problems, 1 new: workers (hook): ...; ended: ip-10-0-1-17 (budget)`. */
function messageOf({ listed, ended, away, unread }: Digest): string {
  const added = listed.filter(({ change }) => change === 'new');
  const changed = listed.filter(({ change }) => change === 'severity');
  const count = listed.length + away.length;
  const total = count === 0 ? 'no problem any more' : `${count} ${count === 1 ? 'problem' : 'problems'}`;
  return [
    [total, ...(added.length > 0 ? [`${added.length} new: ${several(added.map(sentenceOf))}`] : [])].join(
      ', ',
    ),
    ...(changed.length > 0 ? [`with another severity: ${several(changed.map(severityOf))}`] : []),
    ...(ended.length > 0 ? [`ended: ${several(ended.map(nameOf))}`] : []),
    ...(away.length > 0 ? [`not seen now: ${several(away.map(nameOf))}`] : []),
    ...(unread.length > 0 ? [`not read: ${several(unread)}`] : []),
  ].join('; ');
}

const several = (texts: readonly string[]): string =>
  texts.length <= mostNamed
    ? texts.join('; ')
    : `${texts.slice(0, mostNamed).join('; ')}; and ${texts.length - mostNamed} more`;

const nameOf = ({ kind, subject }: { readonly kind: string; readonly subject: string }): string =>
  `${subject} (${kind})`;

const severityOf = ({ problem }: ListedProblem): string => `${nameOf(problem)}, now ${problem.severity}`;

function sentenceOf({ problem, begins }: ListedProblem): string {
  const again = begins > 1 ? `, which comes and goes (${begins} times)` : '';
  return `${nameOf(problem)}${again}: ${problem.message}`;
}
