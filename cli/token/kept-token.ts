import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { RoleRequest } from '../../shared/aws/assume-role.ts';
import type { WebIdentityRequest } from '../../shared/aws/web-identity.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { CliContext } from '../context.ts';
import { hostOf } from '../host.ts';
import { isMissingFile } from '../missing-file.ts';
import { cacheHome, isOwned, isOwnFile, isOwnFolder, nearestStats } from '../own-folder.ts';
import { oneLine } from '../plain-text.ts';

/** `expiresAt` in epoch milliseconds. It is not after the end of the credentials that signed. */
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
  /** Of a sign-in whose credentials are new at each call, or the access key id that signs. Another sign-in is another identity. */
  readonly signIn: unknown;
  /** Undefined without `--role-arn`. */
  readonly role: RoleRequest | undefined;
  /** Where else credentials may come from: a profile of this name in another file is another identity. */
  readonly sources: readonly string[];
  /** Undefined for a presigned request. */
  readonly webIdentity?: WebIdentityRequest;
}

const keptSchema = z.object({ subject: z.string(), token: z.string(), expiresAt: z.number() });

/** A token with less time left is replaced, so that a slow request does not end with an expired one. */
const leastMilliseconds = 60_000;

const presignedMilliseconds = 14 * 60_000;

/** Verifiers take a clock that is this much ahead. A token of one that was further ahead is refused for as long, and would be kept for as long. */
const skewMilliseconds = 5 * 60_000;

/** A cached token that is still valid. A warning says which file is ignored, and why. */
export async function keptToken(subject: TokenSubject, context: CliContext): Promise<KeptToken | undefined> {
  const place = placeOf(subject, context);
  const path = join(place.folder, place.file);
  try {
    const text = await readOwn(path);
    if (text === undefined) return undefined;
    const parsed = z.safeParse(keptSchema, parseJson(text));
    if (!parsed.success || parsed.data.subject !== place.digest)
      throw new NotOursError('its content is not what drover wrote there');
    const left = parsed.data.expiresAt - context.clock.now();
    return left > leastMilliseconds && left <= lifetimeOf(subject) + skewMilliseconds
      ? parsed.data
      : undefined;
  } catch (error) {
    context.stderr.write(
      `warning: the cached token in ${oneLine(path)} is ignored: ${oneLine(messageOf(error))}\n`,
    );
    return undefined;
  }
}

const lifetimeOf = ({ webIdentity }: TokenSubject): number =>
  webIdentity === undefined ? presignedMilliseconds : webIdentity.durationSeconds * 1000;

/** Caches a token in a file that only this user can read. If that fails, the user gets a warning, and still gets the token. */
export async function keepToken(
  subject: TokenSubject,
  { token, expiresAt }: KeptToken,
  context: CliContext,
): Promise<void> {
  const { folder, file, digest } = placeOf(subject, context);
  try {
    const mark = Buffer.from(hostOf(context, context.environment).randomBytes(6)).toString('hex');
    // With sudo, which may keep HOME, folders of root would be made in the home of the user.
    if (!isOwned(nearestStats(folder)))
      throw new NotOursError(`${folder} would be in a folder of another user`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await refuseOthers(folder);
    await removeExpired(folder, context);
    await write(join(folder, file), {
      text: JSON.stringify({ subject: digest, token, expiresAt }),
      mark,
      expiresAt,
    });
  } catch (error) {
    context.stderr.write(
      `warning: the token is not cached: ${oneLine(messageOf(error))}: set XDG_CACHE_HOME to a folder of yours, or give --no-cache\n`,
    );
  }
}

/** A file or folder of the cache to which others have access. */
class NotOursError extends Error {
  override readonly name = 'NotOursError';
}

/** A link may lead to another disk, but not to a folder in which another user can put files. */
async function refuseOthers(folder: string): Promise<void> {
  if (isOwnFolder(await stat(folder))) return;
  throw new NotOursError(`other users can write to ${folder}`);
}

/** Undefined if there is no such file. @throws NotOursError */
async function readOwn(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile()) throw new NotOursError('it is not a file');
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      if (!isOwnFile(await file.stat())) throw new NotOursError('other users have access to it');
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissingFile(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/**
 * Several processes may write at once: each writes a file of its own, which then takes its place whole. The time of the file is that at which its
 * token expires.
 */
async function write(
  path: string,
  { text, expiresAt, mark }: { readonly text: string; readonly expiresAt: number; readonly mark: string },
): Promise<void> {
  const part = `${path}.${mark}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.utimes(new Date(expiresAt), new Date(expiresAt));
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Each sign-in has its own files, so those of sign-ins before would stay for ever. What is being written has the time of its end already, or a new one. */
async function removeExpired(folder: string, { clock }: CliContext): Promise<void> {
  const own = (await readdir(folder)).filter((name) =>
    /^[0-9a-f]{32}\.key(?:\.[0-9a-f]+\.part|\.part)?$/.test(name),
  );
  for (const path of own.map((name) => join(folder, name))) {
    const endedAt = await lstat(path).then(
      ({ mtimeMs }) => mtimeMs,
      // Another process has removed it.
      (error: unknown) => (isMissingFile(error) ? clock.now() : Promise.reject(error)),
    );
    if (endedAt < clock.now() - leastMilliseconds) await rm(path, { force: true });
  }
}

function placeOf(
  subject: TokenSubject,
  { environment, homeDirectory }: CliContext,
): { readonly folder: string; readonly file: string; readonly digest: string } {
  const digest = createHash('sha256').update(JSON.stringify(subject)).digest('hex');
  const folder = join(cacheHome(environment, homeDirectory), 'drover', 'tokens');
  return { folder, file: `${digest.slice(0, 32)}.key`, digest };
}
