import { type ApiResponse, jsonResponse } from './request.ts';
import type { StatusError } from './status-error.ts';

export function statusResponse({ status }: StatusError): ApiResponse {
  const response = jsonResponse(status.code, status);
  const seconds = status.details?.retryAfterSeconds;
  if (seconds === undefined) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}
