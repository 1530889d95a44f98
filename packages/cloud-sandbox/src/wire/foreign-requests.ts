import type { IncomingHttpHeaders } from 'node:http';

/** Whether clients may call a server by this name, besides the names of the loopback address. Names come in lower case. */
export type IsOwnName = (name: string) => boolean;

export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What browsers report about the page that a request comes from (Fetch Metadata Request Headers, W3C). */
interface FetchMetadata {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly 'sec-fetch-dest'?: string | string[] | undefined;
}

/**
 * Why a request is not for this server; undefined if it is. A page of another site reaches a loopback port through the
 * browser: under a name of its own that it points to 127.0.0.1 (DNS rebinding), which Host shows, or across sites, which
 * Origin shows, or Sec-Fetch-Site if a browser sends no Origin: for a picture, a script, a frame. Other programs send
 * neither.
 */
export function refusalOf(
  { host = '', origin, ...metadata }: Pick<IncomingHttpHeaders, 'host' | 'origin'> & FetchMetadata,
  { scheme, isOwnName }: { readonly scheme: 'http' | 'https'; readonly isOwnName: IsOwnName },
): Refusal | undefined {
  const authority = host.toLowerCase();
  const name = authority.replace(/:\d+$/, '');
  if (!loopbackNames.has(name) && !isOwnName(name))
    return {
      status: 421,
      message: 'The Host header names another server. Call the sandbox at the address that it printed.\n',
    };
  const isForeign = origin !== undefined && origin.toLowerCase() !== `${scheme}://${authority}`;
  if (isForeign || isEmbedded(metadata))
    return { status: 403, message: 'The sandbox refuses requests that come from pages of other sites.\n' };
  return undefined;
}

/** Another page may hold a link to this server, and nothing else. Other ports of this machine are of the same site. */
const isEmbedded = (metadata: FetchMetadata): boolean =>
  ['cross-site', 'same-site'].includes(String(metadata['sec-fetch-site'])) &&
  (metadata['sec-fetch-mode'] !== 'navigate' || metadata['sec-fetch-dest'] !== 'document');
