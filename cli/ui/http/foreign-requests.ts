import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: 403 | 421;
  readonly title: string;
  readonly detail: string;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request is not for this server; undefined where it is. A page of another site reaches a loopback port through the browser: under
 * a name of its own that it points to 127.0.0.1 (DNS rebinding), which Host shows, or across sites, which Origin shows. The port in
 * Host may be another one: people forward ports. Pure.
 */
export function refusalOf({
  host = '',
  origin,
}: Pick<IncomingHttpHeaders, 'host' | 'origin'>): Refusal | undefined {
  const authority = host.toLowerCase();
  if (!loopbackNames.has(authority.replace(/:\d+$/, '')))
    return {
      status: 421,
      title: 'Misdirected Request',
      detail: 'The Host header names another server. Open the address that drover ui printed.',
    };
  if (origin !== undefined && origin.toLowerCase() !== `http://${authority}`)
    return { status: 403, title: 'Forbidden', detail: 'Requests from pages of other sites are refused.' };
  return undefined;
}
