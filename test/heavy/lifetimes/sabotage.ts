import type { SQSBatchResponse } from 'aws-lambda';
import type { AwsHttpRequest, AwsHttpResponse } from '../../../shared/aws/connection.ts';
import type { HttpRequest, HttpResponse, SendHttp } from '../../../shared/net/http.ts';
import type { CreateHandler, FunctionHost } from '../../../shared/runtime/host.ts';
import type { Sabotage } from '../../support/lifetimes/lifetime.ts';
import { awsHandlerOf } from '../../support/lifetimes/watch/watched-host.ts';

/** A bug in what these functions see of the world, or do to it: everything else of them is as it is deployed. */
export const onHost =
  (functionNames: readonly string[], spoil: (host: FunctionHost) => FunctionHost): Sabotage =>
  (functionName, create) =>
    functionNames.includes(functionName) ? (host) => create(spoil(host)) : create;

/** A bug in what a function answers to the batch that it was given. */
export const onAnswer =
  (functionName: string, spoil: (answer: SQSBatchResponse) => SQSBatchResponse): Sabotage =>
  (name, create): CreateHandler =>
    name === functionName
      ? (host) => {
          const handler = create(host);
          return async (event, context) => spoil((await handler(event, context)) as SQSBatchResponse);
        }
      : create;

/** Exchanges with the API server that go wrong in the function itself. */
export const withSendHttp = (
  host: FunctionHost,
  spoil: (request: HttpRequest, send: SendHttp) => Promise<HttpResponse>,
): FunctionHost => ({ ...host, sendHttp: (request) => spoil(request, host.sendHttp) });

type SendAws = (request: AwsHttpRequest) => Promise<AwsHttpResponse>;

/** The same for AWS. A request that is changed would not carry its signature any more; answers can be. */
export function withSendAws(
  host: FunctionHost,
  spoil: (request: AwsHttpRequest, send: SendAws) => Promise<AwsHttpResponse>,
): FunctionHost {
  const handler = awsHandlerOf(host);
  const awsRequestHandler: typeof handler = {
    ...handler,
    handle: async (request, options) => ({
      response: await spoil(request, async (sent) => (await handler.handle(sent, options)).response),
    }),
  };
  return { ...host, awsRequestHandler };
}

/** The operation of Auto Scaling or EC2 that a request asks for. */
export const actionOf = (request: AwsHttpRequest): string => formOf(request).get('Action') ?? '';

/** What the Query protocol carries. */
export const formOf = ({ body }: AwsHttpRequest): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '');

/** An answer with its text changed; a body is read once, so it is put back as bytes. */
export function rewritten(response: AwsHttpResponse, change: (text: string) => string): AwsHttpResponse {
  const bytes: unknown = response.body;
  if (!(bytes instanceof Uint8Array)) return response;
  return Object.assign(response, { body: Buffer.from(change(Buffer.from(bytes).toString())) });
}

/** A request's JSON body, changed. */
export const withBody = (
  request: HttpRequest,
  change: (body: Record<string, unknown>) => object,
): HttpRequest => ({
  ...request,
  body: JSON.stringify(change(JSON.parse(request.body ?? '{}') as Record<string, unknown>)),
});

/** An answer whose list has lost some of its items. */
export function withItems(response: HttpResponse, keep: (item: ListedItem) => boolean): HttpResponse {
  const list = JSON.parse(response.body) as { readonly items?: readonly ListedItem[] };
  return { ...response, body: JSON.stringify({ ...list, items: (list.items ?? []).filter(keep) }) };
}

interface ListedItem {
  readonly metadata?: { readonly deletionTimestamp?: string };
}

/** The operation of a service whose requests are JSON, such as `AmazonSSM.PutParameter`; empty for others. */
export const targetOf = ({ headers }: AwsHttpRequest): string => headers['x-amz-target'] ?? '';

/** The body of a request as text. */
export const bodyOf = ({ body }: AwsHttpRequest): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);

export const pathOf = ({ url }: HttpRequest): string => new URL(url).pathname;

export const isNodeRead = (request: HttpRequest): boolean =>
  request.method === 'GET' && pathOf(request).startsWith('/api/v1/nodes');
