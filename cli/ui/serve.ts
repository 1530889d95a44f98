import { messageOf } from '../../shared/base/message-of.ts';
import { pageFiles } from '../../ui/server/page-files.ts';
import { usesScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { hostOf } from '../host.ts';
import { jsonLine } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import type { DirectFlags } from './direct/access.ts';
import type { ClusterSource } from './direct/source.ts';
import { createPage } from './page.ts';
import { openPageServer, type PageServerOptions } from './server.ts';

export interface UiFlags extends DirectFlags {
  readonly port: number;
  readonly all?: true;
  readonly json?: true;
}

type Pages = Omit<PageServerOptions, 'port' | 'token' | 'onFault'>;
type OnFault = (error: unknown) => void;

const tokenBytes = 18;

/** Serves the page until Ctrl-C. Rejects with a CliError `interrupted` then. */
export async function serveUi(flags: UiFlags, context: CliContext): Promise<void> {
  const { stdout, stderr } = context;
  const onFault: OnFault = (error) => stderr.write(`${oneLine(messageOf(error))}\n`);
  const server = await openPageServer({
    port: flags.port,
    token: tokenOf(context),
    ...(await pagesOf(flags, onFault, context)),
    onFault,
  });
  const { url, port } = server;
  const interrupted = interruptOf(context);
  stdout.write(flags.json ? jsonLine({ url, port }) : `${url}\n`);
  if (stdout.isTerminal) stderr.write('Open it in a browser of this machine. Ctrl-C ends it.\n');
  await interrupted;
  await server.close();
  throw new CliError('interrupted: the page is no longer served', exitCodes.interrupted);
}

async function pagesOf(flags: UiFlags, onFault: OnFault, context: CliContext): Promise<Pages> {
  if (flags.all) {
    const { allPages } = await import('./all/pages.ts');
    return allPages(flags, onFault, context);
  }
  return createPage({ ...(await sourceOf(flags, context)), files: pageFiles(), onFault }, context);
}

/** Where the page gets what it shows, by the way that the flags mean. */
async function sourceOf(flags: UiFlags, context: CliContext): Promise<ClusterSource> {
  if (usesScaleApi(flags)) {
    const [{ apiReader }, { apiState }] = await Promise.all([
      import('./api/read.ts'),
      import('./api/state.ts'),
    ]);
    if (flags.stage !== undefined)
      throw new CliError(
        '--stage: the scale API knows its own deployment: leave it out, or leave out --api and --endpoint',
        exitCodes.usage,
      );
    const read = apiReader(flags, context);
    return { read: async () => apiState(await read()) };
  }
  const [{ directSource }, { createTurn }] = await Promise.all([
    import('./direct/source.ts'),
    import('./report/turn.ts'),
  ]);
  return directSource(flags, createTurn(), context);
}

/** Resolves at the first Ctrl-C; never on a machine without it. */
const interruptOf = ({ onInterrupt }: CliContext): Promise<void> =>
  new Promise((resolve) => {
    onInterrupt?.(resolve);
  });

function tokenOf(context: CliContext): string {
  const bytes = hostOf(context, context.environment).randomBytes(tokenBytes);
  return Buffer.from(bytes).toString('base64url');
}
