import type { HttpRequest, HttpResponse, SendHttp } from '../../net/http.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/**
 * The API server in process, for a client that sends one request at a time. The host of the URL and the server's certificate are not
 * looked at; a client certificate is, as if its key had been proved. It supports no watches.
 */
export function sendHttpTo(handle: (request: ApiRequest) => Promise<ApiResponse>): SendHttp {
  return async (request) => {
    const { status, headers, body } = await handle(apiRequestOf(request));
    return { status, headers, body } satisfies HttpResponse;
  };
}

function apiRequestOf({ method, url, headers, body, tls, staleSeconds }: HttpRequest): ApiRequest {
  const { pathname, search } = new URL(url);
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    path: `${pathname}${search}`,
    headers: Object.fromEntries(lowered),
    ...(body !== undefined && { body }),
    ...(staleSeconds !== undefined && { staleSeconds }),
    ...(tls?.clientCertificate !== undefined && { clientCertificate: tls.clientCertificate }),
  };
}
