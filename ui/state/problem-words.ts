import type { ProblemView } from './types.ts';
import { shortName } from './words.ts';

/** A problem as people say it, by its kind. */
const titles: Readonly<Record<string, (subject: string) => string>> = {
  overdue: (subject) => `${subject} should have left by now`,
  quiet: (subject) => `Nothing drains ${subject} any more`,
  'tags-lost': (subject) => `The group of ${subject} has lost its tags during the drain`,
  etcd: (subject) => `etcd of ${subject} needs you`,
  withheld: (subject) => `${subject} fails, and is not repaired`,
  'certificate-conflict': (subject) => `Someone may hold a stolen token for ${subject}`,
  'no-node': (subject) => `${subject} is in service, and no node of the cluster`,
  'no-approver': (subject) => `Nothing approves the certificates of ${subject}`,
  'dead-letters': (subject) => `Messages were given up in ${subject}`,
  'join-overdue': (subject) => `${subject} has not joined the cluster in time`,
  'certificate-waiting': (subject) => `${subject} waits for its certificate`,
  credential: () => 'The credential of new nodes is too old',
  capacity: (subject) => `${subject} has not the nodes that it should have`,
  schedule: (subject) => `Schedule ${subject} makes no holds`,
  budget: (subject) => `A budget holds the pods of ${subject}`,
  retained: (subject) => `${subject} was kept after its drain failed`,
  uncordoned: (subject) => `Something else uncordoned ${subject} during its drain`,
  'left-behind': (subject) => `${subject} is marked as leaving, and its instance is gone`,
  'warm-wait': (subject) => `${subject} is held on its way into the warm pool`,
  'second-drainer': (subject) => `Another program drains the nodes of ${subject} too`,
};

/** What a problem is, and what more is known of it. */
export interface ProblemWords {
  readonly title: string;
  readonly text: string;
}

/**
 * A problem in people's words. Of other kinds, and where only an alarm shows it, those are the first clause of its message: the name of an
 * alarm says little. Pure.
 */
export function problemWords({ kind = '', subject, message, alarm }: ProblemView): ProblemWords {
  const title = Object.hasOwn(titles, kind) ? titles[kind] : undefined;
  if (title && subject !== alarm) return { title: title(shortName(subject)), text: message };
  const [first = '', rest = ''] = message.split(/(?<=\D[.:;]) (.*)/s);
  const clause = first.replace(/[.:;]$/, '');
  return { title: subject === alarm ? capitalized(clause) : about(subject, clause), text: rest };
}

/** `workers has no hook`, of a message that says `it has no hook`. */
const about = (subject: string, clause: string): string =>
  clause.startsWith('it ') ? `${subject} ${clause.slice('it '.length)}` : `${subject}: ${clause}`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
