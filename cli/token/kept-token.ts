import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import type { WebIdentityRequest } from '../../shared/aws/web-identity.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { CliContext } from '../context.ts';
import { isMissingFile } from '../missing-file.ts';
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
  /** Of the credentials that sign now. */
  readonly accessKeyId: string;
  /** Where else credentials may come from: a profile of this name in another file is another identity. */
  readonly sources: readonly string[];
  /** Undefined for a presigned request. */
  readonly webIdentity?: WebIdentityRequest;
}

const keptSchema = z.object({ token: z.string(), expiresAt: z.number() });

/** A token with less time left is replaced, so that a slow request does not end with an expired one. */
const leastMilliseconds = 60_000;

const presignedMilliseconds = 14 * 60_000;

/** Verifiers take a clock that is this much ahead. A token of one that was further ahead is refused for as long, and would be kept for as long. */
const skewMilliseconds = 5 * 60_000;

/** A token that was kept and is still good; undefined if there is none, or its file cannot be read. */
export async function keptToken(subject: TokenSubject, context: CliContext): Promise<KeptToken | undefined> {
  const { folder, file } = placeOf(subject, context);
  const text = await context.readFile(join(folder, file)).catch(() => '');
  const parsed = z.safeParse(keptSchema, parseJson(text));
  if (!parsed.success) return undefined;
  const left = parsed.data.expiresAt - context.clock.now();
  return left > leastMilliseconds && left <= lifetimeOf(subject) + skewMilliseconds ? parsed.data : undefined;
}

const lifetimeOf = ({ webIdentity }: TokenSubject): number =>
  webIdentity === undefined ? presignedMilliseconds : webIdentity.durationSeconds * 1000;

/** Caches a token in a file that only this user can read. If that fails, the user gets a warning, and still gets the token. */
export async function keepToken(subject: TokenSubject, kept: KeptToken, context: CliContext): Promise<void> {
  const { folder, file } = placeOf(subject, context);
  try {
    await removeExpired(folder, context);
    await writeFiles(folder, new Map([[file, JSON.stringify(kept)]]));
  } catch (error) {
    // It is not a failure if another process stores one at the same time.
    if (await keptToken(subject, context)) return;
    context.stderr.write(`warning: the token is not kept: ${oneLine(messageOf(error))}\n`);
  }
}

/** Each sign-in has its own files, so those of sign-ins before would stay for ever. */
async function removeExpired(folder: string, { readFile, clock }: CliContext): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  for (const path of names.filter((name) => name.endsWith('.key')).map((name) => join(folder, name))) {
    const parsed = z.safeParse(keptSchema, parseJson(await readFile(path).catch(() => '')));
    if (parsed.success && parsed.data.expiresAt <= clock.now()) await rm(path, { force: true });
  }
}

/** The ending makes it a file that only its owner may read. */
function placeOf(
  subject: TokenSubject,
  { environment, homeDirectory }: CliContext,
): { readonly folder: string; readonly file: string } {
  // A folder that is empty or relative counts as none (XDG Base Directory Specification).
  const configured = environment['XDG_CACHE_HOME'] ?? '';
  const cache = isAbsolute(configured) ? configured : join(homeDirectory, '.cache');
  const digest = createHash('sha256').update(JSON.stringify(subject)).digest('hex');
  return { folder: join(cache, 'drover', 'tokens'), file: `${digest.slice(0, 32)}.key` };
}
