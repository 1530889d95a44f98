import * as z from 'zod/mini';
import type { HttpApiResponse } from './http.ts';

const primitive = z.union([z.string(), z.number(), z.boolean()]);

const structured = z.object({
  statusCode: z.union([z.number(), z.string().check(z.regex(/^\d{3}$/))]),
  headers: z.optional(z.record(z.string(), primitive)),
  cookies: z.optional(z.array(z.string())),
  body: z.optional(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
});

/** What API Gateway itself says when there is nothing better to say. */
export const gatewayAnswer = (status: number, message: string): HttpApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
});

/**
 * A function's answer as a response. Without a statusCode API Gateway takes the whole answer for the JSON body of a 200;
 * one whose statusCode, headers or body have a wrong type is answered with 500 (payload format 2.0).
 */
export function httpAnswer(result: unknown): HttpApiResponse {
  if (typeof result !== 'object' || result === null || !('statusCode' in result))
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
    };
  const parsed = z.safeParse(structured, result);
  if (!parsed.success) return gatewayAnswer(500, 'Internal Server Error');
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = parsed.data;
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    status: Number(statusCode),
    headers: { 'content-type': 'text/plain; charset=utf-8', ...Object.fromEntries(lowered) },
    cookies,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}
