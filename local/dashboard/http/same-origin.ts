import type { IncomingHttpHeaders } from 'node:http';

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

const nameOf = (host: string): string => host.replace(/:\d+$/, '');

/**
 * Whether a request is meant for this server. A name that somebody else owns and points to 127.0.0.1 arrives here too (DNS
 * rebinding), but its Host header tells.
 */
export const isForUs = ({ host }: IncomingHttpHeaders): boolean =>
  host !== undefined && ownNames.includes(nameOf(host));

/** Whether a request comes from the page itself, or from a program that is no browser and names no origin. */
export const isFromUs = ({ host, origin }: IncomingHttpHeaders): boolean =>
  origin === undefined || origin === `http://${host}`;
