import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';

const secret = () => z.string().check(z.regex(/^[\w-]{32,256}$/));
const secretsSchema = lazily(() => z.object({ current: secret(), previous: z.optional(secret()) }));

/** The bearer secrets by which the webhook knows its API servers: a new one is current, and the one before stays good until it is taken out. */
export interface WebhookSecrets {
  readonly current: string;
  readonly previous?: string | undefined;
}

/** Reads `{"current": "...", "previous": "..."}`, each of 32 to 256 letters, digits, dashes and underscores; undefined for anything else. */
export function readWebhookSecrets(text: string): WebhookSecrets | undefined {
  const parsed = secretsSchema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Whether the header `Authorization` has one of the secrets. It takes as long for a wrong one as for a right one. */
export function isOwnCaller(
  authorization: string | undefined,
  { current, previous }: WebhookSecrets,
): boolean {
  const given = digestOf(/^Bearer (.*)$/s.exec(authorization ?? '')?.[1] ?? '');
  const matches = [current, previous ?? current].map((one) => timingSafeEqual(given, digestOf(one)));
  return matches.includes(true);
}

/** Digests are of one length, whatever the secret's is. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
