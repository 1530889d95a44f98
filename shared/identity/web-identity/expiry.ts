import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';

const claimsSchema = lazily(() => z.object({ exp: z.number() }));

/** When a JWT expires, by its own claim, in epoch milliseconds; undefined for a text that is no JWT. Its signature is for its reader to check. */
export function expiryOf(token: string): number | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  if (payload === undefined) return undefined;
  const claims = z.safeParse(claimsSchema(), parseJson(Buffer.from(payload, 'base64url').toString()));
  return claims.success ? claims.data.exp * 1000 : undefined;
}
