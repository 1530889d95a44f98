import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { functionsFromSource } from '../../local/cloud/functions.ts';
import type { CreateHandler } from '../../shared/runtime/host.ts';

/** The commit of the last release, 0.1.0. */
export const releasedCommit = 'ffcd64dc';

/** Whether this clone has the commit: one without its history does not. */
export function hasReleasedCommit(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${releasedCommit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // git ends with 1 or 128 if it does not know the commit, or if this is not a clone.
    if (typeof (error as { readonly status?: unknown }).status === 'number') return false;
    throw error;
  }
}

/** The functions of the release from their source at its commit, by name. */
export async function releasedFunctions(): Promise<Readonly<Record<string, CreateHandler>>> {
  const folder = join('dist', `source-${releasedCommit}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const archive = execFileSync('git', ['archive', releasedCommit, 'functions', 'shared'], {
      maxBuffer: 1e9,
    });
    execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another process has put it there at the same moment.
      if (!existsSync(folder)) throw error;
      rmSync(unfinished, { recursive: true });
    }
  }
  const load = async (name: string): Promise<readonly [string, CreateHandler]> => {
    const file = pathToFileURL(join(process.cwd(), folder, 'functions', `${name}.ts`)).href;
    return [name, ((await import(file)) as { readonly create: CreateHandler }).create];
  };
  const names = Object.keys(functionsFromSource).filter((name) =>
    existsSync(join(folder, 'functions', `${name}.ts`)),
  );
  return Object.fromEntries(await Promise.all(names.map(load)));
}

/**
 * Functions of which a deployment can be replaced while they run, as an upgrade and a rollback do. An execution environment runs what is
 * deployed when an invocation begins, and has the memory of that deployment only.
 */
export function deployable(versions: Readonly<Record<string, Readonly<Record<string, CreateHandler>>>>) {
  let deployed = Object.keys(versions)[0] ?? '';
  const ran = new Set<string>();
  const functions = Object.fromEntries(
    Object.keys(functionsFromSource).map((name): readonly [string, CreateHandler] => [
      name,
      (host) => {
        const handlers = new Map<string, ReturnType<CreateHandler>>();
        return (event, context) => {
          const handler = handlers.get(deployed) ?? versions[deployed]?.[name]?.(host);
          // A function that a version does not have is deleted with its mapping, and its queue is retained.
          if (!handler && versions[deployed]?.[name] === undefined) return keepAll(event);
          if (!handler) throw new RangeError(`${deployed} has no function ${name}`);
          handlers.set(deployed, handler);
          ran.add(deployed);
          return handler(event, context);
        };
      },
    ]),
  );
  return {
    functions,
    /** The versions that had an invocation. */
    ran: (): readonly string[] => [...ran],
    deployed: (): string => deployed,
    deploy: (version: string): void => {
      deployed = version;
    },
  };
}

/** The messages of a queue without a function stay in it. A schedule is deleted with its function. */
const keepAll = async (event: unknown): Promise<unknown> => {
  const { Records = [] } = event as { readonly Records?: readonly { readonly messageId: string }[] };
  return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};
