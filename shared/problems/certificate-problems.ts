import { durationText } from '../base/duration.ts';
import { shellWord } from '../base/shell-words.ts';
import type { VerdictKind } from '../certificates/verdict.ts';
import type { FoundProblem } from './problem.ts';

/** A pending certificate request, with the verdict of Drover. */
export interface JudgedRequest {
  readonly name: string;
  readonly signerName: string;
  /** Undefined for a request that names no Node. */
  readonly nodeName: string | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `unread`: its Node, instance or group could not be read. */
  readonly verdict: VerdictKind | 'unread';
  readonly reason: string;
}

/** The threshold of the alarm `certificate-requests-late`. */
const lateSeconds = 900;

/** Names for which several keys ask, and requests that nothing has decided for a quarter of an hour: each name once. Pure. */
export function certificateProblems(requests: readonly JudgedRequest[], at: number): readonly FoundProblem[] {
  const ours = requests.filter(({ verdict }) => verdict !== 'not-ours');
  return [...Map.groupBy(ours, subjectOf)].flatMap(([subject, named]) => {
    const contested = named.filter(({ verdict }) => verdict === 'conflict');
    if (contested.length > 0) return conflictOver(subject, contested);
    return waitingFor(
      subject,
      named.filter((request) => isLate(request, at)),
      at,
    );
  });
}

const subjectOf = ({ nodeName, name }: JudgedRequest): string => nodeName ?? name;

export const ageSeconds = ({ createdAt }: JudgedRequest, at: number): number => (at - createdAt) / 1000;

export const isLate = (request: JudgedRequest, at: number): boolean => ageSeconds(request, at) > lateSeconds;

export const oldestOf = (requests: readonly JudgedRequest[]): JudgedRequest | undefined =>
  requests.toSorted((one, other) => one.createdAt - other.createdAt)[0];

/** A request of an unreadable time is not the begin of anything. */
export const sinceOf = ({ createdAt }: JudgedRequest): string | undefined =>
  Number.isFinite(createdAt) ? new Date(createdAt).toISOString() : undefined;

function conflictOver(subject: string, contested: readonly JudgedRequest[]): readonly FoundProblem[] {
  const oldest = oldestOf(contested);
  if (oldest === undefined) return [];
  return [
    {
      kind: 'certificate-conflict',
      subject,
      message: `someone may hold a stolen bootstrap token for this node, or it has lost its key, so certificate request ${namesOf(contested)} is not approved: ${oldest.reason}`,
      since: sinceOf(oldest),
      command: `drover csr explain ${shellWord(oldest.name)}`,
    },
  ];
}

function waitingFor(subject: string, late: readonly JudgedRequest[], at: number): readonly FoundProblem[] {
  const oldest = oldestOf(late);
  if (oldest === undefined) return [];
  const why =
    oldest.verdict === 'later' || oldest.verdict === 'unread'
      ? oldest.reason
      : `Drover would ${oldest.verdict} it, and has not: check the function certificate-requests, or whether it is deployed`;
  return [
    {
      kind: 'certificate-waiting',
      subject,
      message: `certificate request ${namesOf(late)} has waited for ${durationText(Math.floor(ageSeconds(oldest, at)))}: ${why}`,
      since: sinceOf(oldest),
      command: `drover csr explain ${shellWord(oldest.name)}`,
    },
  ];
}

/** A flood of requests must not become a flood of text. */
const mostNames = 3;

function namesOf(requests: readonly JudgedRequest[]): string {
  const names = requests.slice(0, mostNames).map(({ name }) => name);
  const more = requests.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
