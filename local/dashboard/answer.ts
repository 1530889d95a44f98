import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsError } from '@drover/cloud-sandbox/aws';
import * as z from 'zod/mini';
import type { Broadcast } from '../../ui/server/broadcast.ts';
import { type Content, respond, respondJson, respondProblem } from '../../ui/server/respond.ts';
import type { DashboardState } from '../../ui/state/types.ts';
import { type Action, actionSchema, shownSchema } from './action-schema.ts';
import { readJson } from './http/read-json.ts';

export interface AnswerOptions {
  readonly files: ReadonlyMap<string, Content>;
  readonly read: () => DashboardState;
  readonly broadcast: Broadcast;
  /** An action that was meant for another one is refused. */
  readonly clusterName: string;
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
  { act, broadcast, clusterName }: AnswerOptions,
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
  const body = await readJson(request);
  const shown = z.safeParse(shownSchema, body);
  if (!shown.success) return refuseBody(response, shown.error);
  const { cluster } = shown.data;
  if (cluster !== clusterName) return respondProblem(response, otherCluster(clusterName, cluster));
  const action = z.safeParse(actionSchema, body);
  if (!action.success) return refuseBody(response, action.error);
  try {
    respondJson(response, { done: act(action.data) });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return respondProblem(response, { status: 409, title: error.code, detail: error.message });
  }
  broadcast.look();
}

const refuseBody = (response: ServerResponse, error: Parameters<typeof z.prettifyError>[0]): void =>
  respondProblem(response, { status: 400, title: 'Bad Request', detail: z.prettifyError(error) });

/** The page was loaded before another sandbox took its port. */
const otherCluster = (clusterName: string, asked: string) => ({
  status: 409,
  title: 'Conflict',
  detail: `This sandbox has cluster ${clusterName}, and the button is for ${asked}: load the page again.`,
});

const refuseMethod = (response: ServerResponse, allow: string): void =>
  respondProblem(response, {
    status: 405,
    title: 'Method Not Allowed',
    detail: `Use ${allow}.`,
    headers: { allow },
  });
