import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DashboardState } from '../state/types.ts';
import type { Broadcast } from './broadcast.ts';
import { refusalOf } from './foreign-requests.ts';
import { answerReport, isReportPath, type ReportSource } from './report.ts';
import { type Content, respond, respondJson, respondProblem } from './respond.ts';

export interface AnswerOptions {
  /** Part of the address, so that other users of this machine cannot read the page. */
  readonly token: string;
  readonly files: ReadonlyMap<string, Content>;
  readonly broadcast: Broadcast;
  /** Reads the account, unless it was read a moment ago. */
  readonly read: () => Promise<DashboardState | undefined>;
  /** Undefined if the page has no access to logs. */
  readonly reports?: ReportSource | undefined;
}

/** Answers requests below the token: the files of the page, `api/state`, `api/events` and reports. It changes nothing. */
export function answerOf({ token, files, broadcast, read, reports }: AnswerOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request.headers);
    if (refusal) return respondProblem(response, refusal);
    const path = pathBelow(request.url ?? '/', token);
    if (path === undefined) return respondProblem(response, notHere);
    if (reports && isReportPath(path)) return await answerReport(reports, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return respondProblem(response, { ...methodNotAllowed, headers: { allow: 'GET, HEAD' } });
    if (path === '/api/events' && request.method === 'GET') return broadcast.add(response);
    if (path === '/api/state') return answerState(response, await read());
    const file = files.get(path);
    return file ? respond(response, file) : respondProblem(response, notHere);
  };
}

const answerState = (response: ServerResponse, state: DashboardState | undefined): void =>
  state ? respondJson(response, state) : respondProblem(response, nothingRead);

/** The path after the token; undefined without the token. */
function pathBelow(url: string, token: string): string | undefined {
  const [path = '/'] = url.split('?');
  const [, given = '', ...rest] = path.split('/');
  return isSame(given, token) && rest.length > 0 ? `/${rest.join('/')}` : undefined;
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const notHere = {
  status: 404,
  title: 'Not Found',
  detail: 'Open the whole address that drover ui printed: it has a part that changes with each run.',
};

const nothingRead = {
  status: 503,
  title: 'Service Unavailable',
  detail: 'Nothing could be read yet: drover ui says why on its error output.',
};

const methodNotAllowed = {
  status: 405,
  title: 'Method Not Allowed',
  detail: 'The page of an account only reads.',
};
