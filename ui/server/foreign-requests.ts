import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: 403 | 421;
  readonly title: string;
  readonly detail: string;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

type Headers = Pick<IncomingHttpHeaders, 'host' | 'origin'> & {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly 'sec-fetch-dest'?: string | string[] | undefined;
};

/**
 * Why a request is not for this server; undefined if it is. A page of another site reaches a loopback port through the browser: under
 * a name of its own that it points to 127.0.0.1 (DNS rebinding), which Host shows, or across sites, which Origin shows, or
 * Sec-Fetch-Site where a browser sends no Origin: for a picture, a script, a frame. The port in Host may be another one: people forward
 * ports. Pure.
 */
export function refusalOf(headers: Headers): Refusal | undefined {
  const { host = '', origin } = headers;
  const authority = host.toLowerCase();
  if (!loopbackNames.has(authority.replace(/:\d+$/, '')))
    return {
      status: 421,
      title: 'Misdirected Request',
      detail: 'The Host header names another server. Open the address that drover ui printed.',
    };
  const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${authority}`;
  if (isForeign || isEmbedded(headers))
    return { status: 403, title: 'Forbidden', detail: 'Requests from pages of other sites are refused.' };
  return undefined;
}

/** Another page may hold a link to this one, and nothing else. Other ports of this machine are of the same site. */
const isEmbedded = (headers: Headers): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) &&
  (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document');
