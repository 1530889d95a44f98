import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

/** The commit that a release is made of. */
export interface Checkout {
  readonly commit: string;
  /** UTC, to the second. */
  readonly committedAt: string;
  /** Whether a file differs from the commit, or is not part of it. */
  readonly hasChanges: boolean;
}

const run = promisify(execFile);

/**
 * What git reports about a directory, or undefined if it is not the root of a checkout, as after unpacking an archive of the sources.
 *
 * @throws Error with what git says, for example that another user owns the checkout
 */
export async function readCheckout(directory = '.'): Promise<Checkout | undefined> {
  const root = await git(directory, ['rev-parse', '--show-toplevel']);
  if (root === undefined || root.trim() !== (await realpath(directory))) return undefined;
  const head = await git(directory, ['show', '--no-patch', '--format=%H %ct', 'HEAD']);
  const [commit = '', seconds] = (head ?? '').trim().split(' ');
  const changes = await git(directory, ['status', '--porcelain']);
  const committedAt = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
  return { commit, committedAt, hasChanges: changes !== '' };
}

const failureSchema = z.object({ code: z.unknown(), stderr: z.optional(z.string()) });

/** The output, or undefined without git or a checkout. */
async function git(directory: string, args: readonly string[]): Promise<string | undefined> {
  try {
    // Messages in English, as one of them is recognized below.
    const env = { ...process.env, LC_ALL: 'C' };
    return (await run('git', ['-C', directory, ...args], { env })).stdout;
  } catch (error) {
    const { code, stderr = '' } = z.parse(failureSchema, error);
    if (code === 'ENOENT' || stderr.includes('not a git repository')) return undefined;
    throw new Error(`git ${args.join(' ')} failed: ${stderr.trim()}`, { cause: error });
  }
}
