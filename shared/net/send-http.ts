import { createHash } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import {
  type HttpRequest,
  type HttpResponse,
  isUnreachable,
  LongAnswerError,
  type SendHttp,
} from './http.ts';

/** A list of all Nodes of a very large cluster has about 100 MB. A larger answer is treated as an attack. */
const maximumResponseBytes = 128 * 1024 * 1024;

/** A text of this length takes four times as much memory until it is parsed. */
const longestAnswerOf = ({
  longestAnswerBytes = maximumResponseBytes,
}: Pick<HttpRequest, 'longestAnswerBytes'>) => longestAnswerBytes;

/**
 * Sends over real sockets, which are kept open per TLS identity. If a kept socket died while the Lambda was frozen, the request is
 * sent once more, and all idle sockets are closed: they were idle as long, and a NAT gateway drops such connections silently.
 */
export const sendHttp: SendHttp = async (request) => {
  try {
    return await exchange(request);
  } catch (error) {
    if (!(error instanceof StaleSocketError)) throw error;
    closeIdleSockets(agentFor(new URL(request.url), request));
    return await exchange(request);
  }
};

function closeIdleSockets({ freeSockets }: http.Agent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

/** The other side closed an idle socket. Nothing was read, so the request may be sent again. */
class StaleSocketError extends Error {
  override readonly name = 'StaleSocketError';
  /** The code of node:net for a broken connection. */
  readonly code = 'ECONNRESET';
}

function exchange(request: HttpRequest): Promise<HttpResponse> {
  const url = new URL(request.url);
  const send = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: request.method,
      headers: headersOf(request),
      agent: agentFor(url, request),
    });
    // The timeout starts here, because the wait for a free socket does not count.
    sent.on('socket', (socket) => {
      if (request.timeoutOf === 'silence') endAtSilence(sent, { socket, request, reject });
      const limit = exchangeLimit(request);
      if (limit !== undefined) addAbortSignal(AbortSignal.timeout(limit), sent);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(
        isStale
          ? new StaleSocketError('a kept connection was closed', { cause: error })
          : explain(error, request),
      );
    });
    sent.on('response', (response) => readResponse(response, request, { resolve, reject }));
    sent.end(request.bytes ?? request.body);
  });
}

const exchangeLimit = ({ timeoutOf, timeoutMilliseconds, longestMilliseconds }: HttpRequest) =>
  timeoutOf === 'silence' ? longestMilliseconds : timeoutMilliseconds;

/** A socket outlives its request: the next one has a limit of its own. */
function endAtSilence(
  sent: http.ClientRequest,
  {
    socket,
    request,
    reject,
  }: Pick<Settle, 'reject'> & { readonly socket: Socket; readonly request: HttpRequest },
): void {
  const end = (): void => {
    reject(new TimeoutError(`no byte within ${request.timeoutMilliseconds} ms`));
    sent.destroy();
  };
  socket.setTimeout(request.timeoutMilliseconds, end);
  sent.once('close', () => socket.setTimeout(0, end));
}

const headersOf = ({
  headers,
  bytes,
  body = bytes,
  answerIn,
}: Omit<HttpRequest, 'body'> & { readonly body?: string | Uint8Array | undefined }): Record<
  string,
  string
> => ({
  ...headers,
  ...(answerIn === undefined && { 'accept-encoding': 'gzip' }),
  ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
});

/** Has the platform's name for timeouts, which the adapters report as `unavailable`. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

function explain(error: NodeJS.ErrnoException, request: HttpRequest): Error {
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return new TimeoutError(`no answer within ${exchangeLimit(request)} ms`, { cause: error });
  return isUnreachable(error) ? new UnreachableError(error, request) : error;
}

/** Names the server. Where a name has several addresses, Node's own error has no message. */
class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** By this the SDK knows what it may try again. */
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException, { url }: HttpRequest) {
    const code = cause.code ?? '';
    super(`no connection to ${new URL(url).host} (${code})`, { cause });
    this.code = code;
  }
}

/** Node's own error says only `aborted`. */
class BrokenAnswerError extends Error {
  override readonly name = 'BrokenAnswerError';
  /** By this the SDK knows what it may try again. */
  readonly code = 'ECONNRESET';

  constructor(cause: Error) {
    super('the connection broke in the middle of the answer (ECONNRESET)', { cause });
  }
}

interface Settle {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: Error) => void;
}

function readResponse(
  response: http.IncomingMessage,
  request: HttpRequest,
  { resolve, reject }: Settle,
): void {
  const chunks: Buffer[] = [];
  const limit = longestAnswerOf(request);
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) response.destroy(new LongAnswerError(limit));
    else chunks.push(chunk);
  });
  response.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ECONNRESET' ? new BrokenAnswerError(error) : explain(error, request)),
  );
  response.on('end', () => {
    try {
      resolve(toResponse(response, Buffer.concat(chunks), request));
    } catch (cause) {
      reject(notDecompressed(cause, limit));
    }
  });
}

const notDecompressed = (cause: unknown, limit: number): Error =>
  (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    ? new LongAnswerError(limit, { cause })
    : new Error('the answer cannot be decompressed', { cause });

/** API servers compress answers above 128 KB, AWS none. node:zlib is loaded only when needed, because most invocations never are. */
const decompressed = (bytes: Buffer, maxOutputLength: number): Buffer =>
  process.getBuiltinModule('node:zlib').gunzipSync(bytes, { maxOutputLength });

function toResponse(
  { statusCode, headers }: http.IncomingMessage,
  bytes: Buffer,
  request: Pick<HttpRequest, 'answerIn' | 'longestAnswerBytes'>,
): HttpResponse {
  const isCompressed = headers['content-encoding'] === 'gzip';
  const body = isCompressed ? decompressed(bytes, longestAnswerOf(request)) : bytes;
  return {
    status: statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    ),
    ...(request.answerIn === 'bytes' ? { body: '', bytes: body } : { body: body.toString('utf8') }),
  };
}

type Tls = NonNullable<HttpRequest['tls']>;

const agents = new Map<string, http.Agent>();
/** Credentials change now and then, and old ones need no open sockets. */
const agentsToKeep = 8;
/**
 * The number of concurrent requests, for one leaving node or a batch of ten. Evictions are expensive for an API server: more at once
 * do not finish sooner, conflict at their budgets, and delay the requests of kubelets.
 */
const usualConcurrency = 4;

/**
 * The agent for this TLS identity and this number of concurrent requests to a server. Two identities never share a connection.
 *
 * @throws Error for http to another machine, which would send credentials unencrypted.
 */
export function agentFor(
  url: URL,
  { tls = {}, concurrency = usualConcurrency }: Pick<HttpRequest, 'tls' | 'concurrency'> = {},
): http.Agent {
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Error(`http is only allowed to this machine, not to ${url.host}: use https`);
  const key = `${url.protocol} ${concurrency} ${fingerprint(tls)}`;
  const agent = agents.get(key) ?? createAgent(url, tls, concurrency);
  agents.delete(key);
  agents.set(key, agent);
  const oldest = agents.entries().next();
  if (agents.size > agentsToKeep && !oldest.done) forget(...oldest.value);
  return agent;
}

function forget(key: string, agent: http.Agent): void {
  agent.destroy();
  agents.delete(key);
}

/** Whether a URL with this hostname stays on this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** A digest, so that no private key stays in memory as a map key. */
const fingerprint = (tls: Tls): string => createHash('sha256').update(JSON.stringify(tls)).digest('base64');

function createAgent(url: URL, tls: Tls, maxSockets: number): http.Agent {
  const options = { keepAlive: true, maxSockets };
  if (url.protocol === 'http:') return new http.Agent(options);
  return new https.Agent({
    ...options,
    rejectUnauthorized: tls.insecureSkipVerify !== true,
    ...(tls.certificateAuthority && { ca: tls.certificateAuthority }),
    ...(tls.clientCertificate && { cert: tls.clientCertificate }),
    ...(tls.clientKey && { key: tls.clientKey }),
    ...(tls.serverName && { servername: tls.serverName }),
  });
}
