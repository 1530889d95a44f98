import type { ApiResponse } from './request.ts';

const plain = { 'content-type': 'text/plain; charset=utf-8' };

/** What the server's multiplexer answers to a path of no API. */
export const pageNotFound = (): ApiResponse => ({
  status: 404,
  headers: { ...plain, 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
});

/** What Go's HTTP server answers to a path that it cannot decode. */
export const badPath = (): ApiResponse => ({ status: 400, headers: plain, body: '400 Bad Request' });
