import { messageOf } from '../../shared/base/message-of.ts';
import { createBroadcast, type Repeat } from '../../ui/server/broadcast.ts';
import { pageFiles } from '../../ui/server/page-files.ts';
import type { ReportSource } from '../../ui/server/report.ts';
import type { DashboardState } from '../../ui/state/types.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { hostOf } from '../host.ts';
import { jsonLine } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { createLooker } from './look/looker.ts';
import { plainState } from './look/plain-state.ts';
import { openPageServer } from './server.ts';

export interface UiFlags extends AccessFlags {
  readonly port: number;
  /** Defaults to the only one in the account and region. */
  readonly stage?: string;
  readonly json?: true;
}

const tokenBytes = 18;

/** Serves the page until Ctrl-C. Rejects with a CliError `interrupted` then. */
export async function serveUi(flags: UiFlags, context: CliContext): Promise<void> {
  const { clock, stdout, stderr } = context;
  const onFault = (error: unknown): void => stderr.write(`${oneLine(messageOf(error))}\n`);
  const { read, reports } = await sourceOf(flags, context);
  const looker = createLooker({
    read: async () => plainState(await read()),
    onRead: () => broadcast.look(),
    onFault,
    clock,
  });
  const broadcast = createBroadcast({
    read: () => {
      looker.refresh();
      return looker.latest();
    },
    repeat: repeatOn(context),
    onFault,
  });
  const server = await openPageServer({
    port: flags.port,
    token: tokenOf(context),
    files: pageFiles(),
    broadcast,
    read: async () => {
      await looker.look();
      return looker.latest();
    },
    reports,
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

/** Where the page gets what it shows. */
interface PageSource {
  /** Reads the whole page. */
  readonly read: () => Promise<DashboardState>;
  /** Undefined without access to logs. */
  readonly reports?: ReportSource;
}

async function sourceOf(flags: UiFlags, context: CliContext): Promise<PageSource> {
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
  const [{ directAccess }, { directReader }, { directState }, { createReports }, { createTurn }] =
    await Promise.all([
      import('./direct/access.ts'),
      import('./direct/read.ts'),
      import('./direct/state.ts'),
      import('./report/reports.ts'),
      import('./report/turn.ts'),
    ]);
  const access = directAccess(flags, context);
  const read = directReader(access);
  const { clusterName } = access.autoScaling;
  return {
    read: async () => directState(await read()),
    reports: createReports({ clusterName, flags, turn: createTurn() }, context),
  };
}

/** Each turn is a timer of its own, so that a slow turn is followed by a pause. */
const repeatOn =
  ({ clock }: Pick<CliContext, 'clock'>): Repeat =>
  (milliseconds, task) => {
    let timer = clock.after(milliseconds, turn);
    function turn(): void {
      task();
      timer = clock.after(milliseconds, turn);
    }
    return () => timer.cancel();
  };

/** Resolves at the first Ctrl-C; never on a machine without it. */
const interruptOf = ({ onInterrupt }: CliContext): Promise<void> =>
  new Promise((resolve) => {
    onInterrupt?.(resolve);
  });

function tokenOf(context: CliContext): string {
  const bytes = hostOf(context, context.environment).randomBytes(tokenBytes);
  return Buffer.from(bytes).toString('base64url');
}
