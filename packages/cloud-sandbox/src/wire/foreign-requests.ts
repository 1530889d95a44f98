import type { IncomingHttpHeaders } from 'node:http';

/** Whether clients may call a server by this name, besides the names of the loopback address. Names come in lower case. */
export type IsOwnName = (name: string) => boolean;

export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request is not for this server; undefined where it is. A page of another site reaches a loopback port through the
 * browser: under a name of its own that it points to 127.0.0.1 (DNS rebinding), which Host shows, or across sites, which
 * Origin shows. Programs that are no browser send no Origin.
 */
export function refusalOf(
  { host = '', origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  { scheme, isOwnName }: { readonly scheme: 'http' | 'https'; readonly isOwnName: IsOwnName },
): Refusal | undefined {
  const authority = host.toLowerCase();
  const name = authority.replace(/:\d+$/, '');
  if (!loopbackNames.has(name) && !isOwnName(name))
    return {
      status: 421,
      message: 'The Host header names another server. Call the sandbox at the address that it printed.\n',
    };
  if (origin !== undefined && origin.toLowerCase() !== `${scheme}://${authority}`)
    return { status: 403, message: 'The sandbox refuses requests that come from pages of other sites.\n' };
  return undefined;
}
