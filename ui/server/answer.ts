import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Broadcast } from './broadcast.ts';
import { refusalOf } from './foreign-requests.ts';
import { answerReport, isReportPath, type ReportSource } from './report.ts';
import { type Content, respond, respondJson, respondProblem } from './respond.ts';

/** A page with what it shows. */
export interface ServedPage {
  readonly files: ReadonlyMap<string, Content>;
  readonly broadcast: Broadcast;
  /** Reads the account, unless it was read a moment ago. */
  readonly read: () => Promise<object | undefined>;
  /** Undefined if the page has no access to logs. */
  readonly reports?: ReportSource | undefined;
}

/** Why there is no page of that name. */
export interface NoPage {
  readonly refusal: string;
}

export interface AnswerOptions extends ServedPage {
  /** Part of the address, so that other users of this machine cannot read the page. */
  readonly token: string;
  /**
   * The page of a cluster, by the first part of the path, and what is asked for of it: each has an address of its own, and no page is the
   * current one.
   */
  readonly pageOf?: ((name: string, path: string) => Promise<ServedPage | NoPage>) | undefined;
}

/**
 * Answers requests below the token: the files of the page, `api/state`, `api/events` and reports, and the same below the name of a cluster. It
 * changes nothing.
 */
export function answerOf({ token, pageOf, ...own }: AnswerOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request.headers);
    if (refusal) return respondProblem(response, refusal);
    const whole = pathBelow(request.url ?? '/', token);
    if (whole === undefined) return respondProblem(response, notHere);
    const [, name, path = whole] = (pageOf && /^\/([^/@]+@[^/@]+)(\/.*)$/.exec(whole)) ?? [];
    const page = pageOf && name !== undefined ? await pageOf(name, path) : own;
    if ('refusal' in page) return respondProblem(response, { ...notHere, detail: page.refusal });
    await answerPage(page, path, request, response);
  };
}

async function answerPage(
  { files, broadcast, read, reports }: ServedPage,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (reports && isReportPath(path)) return await answerReport(reports, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respondProblem(response, { ...methodNotAllowed, headers: { allow: 'GET, HEAD' } });
  if (path === '/api/events' && request.method === 'GET') return broadcast.add(response);
  if (path === '/api/state') return answerState(response, await read());
  const file = files.get(path);
  return file ? respond(response, file) : respondProblem(response, notHere);
}

const answerState = (response: ServerResponse, state: object | undefined): void =>
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
