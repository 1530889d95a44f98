import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';

const secret = () => z.string().check(z.regex(/^[\w-]{32,256}$/));
const secretsSchema = lazily(() => z.object({ current: secret(), previous: z.optional(secret()) }));

/** The bearer secrets of the API servers. After a rotation, the previous secret stays valid until it is removed. */
export interface WebhookSecrets {
  readonly current: string;
  readonly previous?: string | undefined;
}

/** Reads `{"current": "...", "previous": "..."}`, each of 32 to 256 letters, digits, dashes and underscores; undefined for anything else. */
export function readWebhookSecrets(text: string): WebhookSecrets | undefined {
  const parsed = secretsSchema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Whether the header `Authorization` has one of the secrets. The check takes the same time for wrong and right secrets. */
export function isOwnCaller(
  authorization: string | undefined,
  { current, previous }: WebhookSecrets,
): boolean {
  const given = digestOf(/^Bearer (.*)$/s.exec(authorization ?? '')?.[1] ?? '');
  const matches = [current, previous ?? current].map((one) => timingSafeEqual(given, digestOf(one)));
  return matches.includes(true);
}

/** Digests have the same length, whatever the length of the secret is. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
