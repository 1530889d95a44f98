import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { WebIdentityRequest } from '../../shared/aws/web-identity.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { CliContext } from '../context.ts';
import { writeFiles } from '../pki/folder.ts';
import { oneLine } from '../plain-text.ts';

/** `expiresAt` in epoch milliseconds. */
export interface KeptToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** All that a token depends on. */
export interface TokenSubject {
  readonly clusterId: string;
  readonly region: string;
  readonly fips: boolean;
  readonly profile: string;
  readonly accessKeyId: string;
  /** Absent: a presigned request. */
  readonly webIdentity?: WebIdentityRequest;
}

const keptSchema = z.object({ token: z.string(), expiresAt: z.number() });

/** A token of less than this is made anew, so that a request that takes a while does not end with an old one. */
const leastMilliseconds = 60_000;

/** A token that was kept and is still good; undefined where none is, or its file cannot be read. */
export async function keptToken(subject: TokenSubject, context: CliContext): Promise<KeptToken | undefined> {
  const { folder, file } = placeOf(subject, context);
  const text = await context.readFile(join(folder, file)).catch(() => '');
  const parsed = z.safeParse(keptSchema, parseJson(text));
  if (!parsed.success) return undefined;
  return parsed.data.expiresAt - leastMilliseconds > context.clock.now() ? parsed.data : undefined;
}

/** Keeps a token in a file for this user alone. Where that fails, the person is warned, and has the token all the same. */
export async function keepToken(subject: TokenSubject, kept: KeptToken, context: CliContext): Promise<void> {
  const { folder, file } = placeOf(subject, context);
  try {
    await writeFiles(folder, new Map([[file, JSON.stringify(kept)]]));
  } catch (error) {
    context.stderr.write(`warning: the token is not kept: ${oneLine(messageOf(error))}\n`);
  }
}

/** The ending makes it a file that only its owner may read. */
function placeOf(
  subject: TokenSubject,
  { environment, homeDirectory }: CliContext,
): { readonly folder: string; readonly file: string } {
  const cache = environment['XDG_CACHE_HOME'] ?? join(homeDirectory, '.cache');
  const digest = createHash('sha256').update(JSON.stringify(subject)).digest('hex');
  return { folder: join(cache, 'drover', 'tokens'), file: `${digest.slice(0, 32)}.key` };
}
