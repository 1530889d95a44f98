import { createHash } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { HttpRequest } from './http.ts';

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

const isLoopback = (hostname: string): boolean =>
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
