import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsError } from '@drover/cloud-sandbox/aws';
import * as z from 'zod/mini';
import type { Broadcast } from '../../ui/server/broadcast.ts';
import { type Content, respond, respondJson, respondProblem } from '../../ui/server/respond.ts';
import type { DashboardState } from '../../ui/state/types.ts';
import { type Action, actionSchema } from './action-schema.ts';
import { readJson } from './http/read-json.ts';

export interface AnswerOptions {
  readonly files: ReadonlyMap<string, Content>;
  readonly read: () => DashboardState;
  readonly broadcast: Broadcast;
  /** Throws AwsError where AWS would refuse. */
  readonly act: (action: Action) => string;
}

/**
 * `GET /` and the files of the page, `GET /api/state` (JSON), `GET /api/events` (server-sent events: `state` and `time`),
 * `POST /api/actions` (JSON). Requests of other pages are refused.
 */
export function createAnswer(options: AnswerOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === '/api/actions') return answerAction(options, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response, 'GET, HEAD');
    if (path === '/api/events')
      return request.method === 'GET' ? options.broadcast.add(response) : refuseMethod(response, 'GET');
    if (path === '/api/state') return respondJson(response, options.read());
    const file = options.files.get(path);
    if (file) return respond(response, file);
    return respondProblem(response, { status: 404, title: 'Not Found', detail: `There is no ${path} here.` });
  };
}

async function answerAction(
  { act, broadcast }: AnswerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return refuseMethod(response, 'POST');
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return respondProblem(response, {
      status: 415,
      title: 'Unsupported Media Type',
      detail: 'Send the action as application/json.',
    });
  const action = z.safeParse(actionSchema, await readJson(request));
  if (!action.success)
    return respondProblem(response, {
      status: 400,
      title: 'Bad Request',
      detail: z.prettifyError(action.error),
    });
  try {
    respondJson(response, { done: act(action.data) });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return respondProblem(response, { status: 409, title: error.code, detail: error.message });
  }
  broadcast.look();
}

const refuseMethod = (response: ServerResponse, allow: string): void =>
  respondProblem(response, {
    status: 405,
    title: 'Method Not Allowed',
    detail: `Use ${allow}.`,
    headers: { allow },
  });
