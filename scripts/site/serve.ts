import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { type HttpDoor, openHttpDoor } from '@drover/cloud-sandbox/wire';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

export interface ServeOptions {
  readonly directory: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The path before each address, as a host may have it: `/` or `/drover/`. */
  readonly base: string;
}

/** Serves a built site on the loopback address, for a preview. */
export function serveSite({ directory, port, base }: ServeOptions): Promise<HttpDoor> {
  const answer = async ({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = fileOf({ directory, base, url });
    const content = file === undefined ? undefined : await readFile(file).catch(ifMissing);
    const type = types[extname(file ?? '')] ?? 'text/plain; charset=utf-8';
    if (content === undefined)
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n');
    else response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(content);
  };
  return openHttpDoor({
    port,
    answer,
    onFault: (error) => process.stderr.write(`${String(error)}\n`),
  });
}

interface Asked {
  readonly directory: string;
  readonly base: string;
  readonly url: string;
}

/** The file behind an address. The parser of URLs leaves no `..` that goes above the top; an encoded one is refused. */
function fileOf({ directory, base, url }: Asked): string | undefined {
  const path = decoded(new URL(url, 'http://site').pathname);
  if (path === undefined || path.includes('\0') || !path.startsWith(base)) return undefined;
  const file = join(directory, path.slice(base.length));
  if (!file.startsWith(normalize(`${directory}/`))) return undefined;
  return path.endsWith('/') ? join(file, 'index.html') : file;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const missing: readonly string[] = ['ENOENT', 'EISDIR', 'ENOTDIR'];

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (!missing.includes(error.code ?? '')) throw error;
}
