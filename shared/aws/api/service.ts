import type { AwsConnection } from '../connection.ts';
import type { AwsHttpRequest, AwsHttpResponse } from '../request-handler.ts';
import { regionalHost } from './endpoint.ts';
import type { StructureShape, ValueOf } from './shape.ts';
import { signedHeaders } from './sign.ts';

/** What is read of the answer of each operation. */
export type Answers<Inputs> = { readonly [Operation in keyof Inputs]: StructureShape };

/**
 * The operations of a service that somebody uses.
 *
 * @throws AwsError with what AWS said no with, UnreadableAnswerError where somebody else answered in its place, or what the request handler rejects with.
 */
export interface AwsApi<Inputs, Shapes extends Answers<Inputs>> {
  call<Operation extends keyof Inputs & string>(
    operation: Operation,
    input: Inputs[Operation],
  ): Promise<ValueOf<Shapes[Operation]>>;
}

export interface Service {
  readonly connection: AwsConnection;
  /** The signing name, which is the endpoint's prefix too for every service that is spoken to here. */
  readonly name: string;
  /** Of a service that has one endpoint for all regions of a partition; absent: one in each region. */
  readonly globalEndpoint?: GlobalEndpoint;
}

export interface GlobalEndpoint {
  readonly host: string;
  /** The region that its requests are signed for, wherever they come from. */
  readonly signingRegion: string;
}

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServiceRequest extends Post {
  readonly method: string;
  /** Begins with a slash and is percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export type TextAnswer = AwsHttpResponse & { readonly body: string };

/** One signed POST to the service's endpoint, and its answer as text. */
export const post = (service: Service, { headers, body }: Post): Promise<TextAnswer> =>
  send(service, { method: 'POST', path: '/', query: {}, headers, body });

/** One signed request to the service's endpoint, and its answer as text. */
export async function send(
  { connection, name, globalEndpoint }: Service,
  { method, path, query, headers, body }: ServiceRequest,
): Promise<TextAnswer> {
  const { endpoint, clock } = connection;
  const region = globalEndpoint?.signingRegion ?? connection.region;
  const url = new URL(endpoint ?? `https://${globalEndpoint?.host ?? regionalHost(name, region)}`);
  const unsigned = {
    method,
    path: `${url.pathname.replace(/\/$/, '')}${path}`,
    query,
    headers: { host: url.host, ...headers },
    body,
  };
  const terms = { service: name, region, credentials: await connection.credentials(), now: clock.now() };
  const request: AwsHttpRequest = {
    ...unsigned,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    headers: signedHeaders(unsigned, terms),
  };
  const { response } = await connection.requestHandler.handle(request);
  return { ...response, body: textOf(response.body) };
}

const textOf = (body: AwsHttpResponse['body'] = ''): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
