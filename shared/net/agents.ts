import { createHash } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { HttpRequest } from './http.ts';

type Tls = NonNullable<HttpRequest['tls']>;

const agents = new Map<string, http.Agent>();
/** Credentials change now and then; those of long ago need no open sockets. */
const agentsToKeep = 8;
/**
 * As many requests are under way at once, for one leaving node or a batch of ten. Evictions cost an API server so much that more
 * do not end sooner: they only wait there, collide at their budgets, and keep the kubelets' own requests waiting.
 */
const socketsPerAgent = 4;

/**
 * The agent whose sockets speak for this TLS identity: connections are never shared between two.
 *
 * @throws Error for http to anywhere but this machine, which would carry credentials in the clear.
 */
export function agentFor(url: URL, tls: Tls = {}): http.Agent {
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Error(`http is only spoken to this machine, not to ${url.host}: use https`);
  const key = `${url.protocol} ${fingerprint(tls)}`;
  const agent = agents.get(key) ?? createAgent(url, tls);
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

/** Keys of a map live long: a digest stands in for the private key. */
const fingerprint = (tls: Tls): string => createHash('sha256').update(JSON.stringify(tls)).digest('base64');

function createAgent(url: URL, tls: Tls): http.Agent {
  const options = { keepAlive: true, maxSockets: socketsPerAgent };
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
