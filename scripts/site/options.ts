import { parseArgs } from 'node:util';
import { repositoryAddress } from './repository-address.ts';
import { SiteError } from './site-error.ts';

export const usage = `npm run site -- [--repository URL] [--serve [--port NUMBER]]

Makes the site in dist/site from README.md and the other Markdown, and checks its links, anchors and images.

  --repository URL  the address before the path of a source file. Links to files that are not pages lead there;
                    without it the site has copies of the files
  --serve           serves the site on the loopback address afterwards
  --port NUMBER     default: any port that is free
`;

export interface Options {
  readonly help: boolean;
  readonly repository: string | undefined;
  /** Undefined if it is not served. 0 means any free port. */
  readonly port: number | undefined;
}

/**
 * Reads the arguments of `npm run site`.
 *
 * @throws SiteError where one is unknown or has no sense.
 */
export function readOptions(args: readonly string[]): Options {
  const { help, serve, port = '0', repository } = parsed(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new SiteError(`--port ${port} is not a port`);
  return { help, repository: repositoryAddress(repository), port: serve ? Number(port) : undefined };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        repository: { type: 'string' },
        serve: { type: 'boolean', default: false },
        port: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new SiteError(`${error.message}\n\n${usage}`, { cause: error });
    throw error;
  }
}
